package io.github.lockboot.faults;

import java.util.stream.Stream;

/**
 * Who could not renew a lease is told that it is lost, at its end at the latest, though
 * no server answers, or another one does who does not know it.
 */
final class ToldLosses implements Rule {

	@Override
	public Stream<String> violations(History history) {
		return Stream
			.concat(history.ends()
				.filter((left) -> left.held()
						&& history.silences().anyMatch((silence) -> silence.outlasts(left.lock(), left.atNanos()))),
					history.claims().filter((claim) -> history.gone().anyMatch((gone) -> gone.isOutlivedBy(claim))))
			.map((holder) -> "A holder was not told that its lease was over: " + holder);
	}

}
