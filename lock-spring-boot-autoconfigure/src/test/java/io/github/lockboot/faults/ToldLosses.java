package io.github.lockboot.faults;

import java.util.stream.Stream;

/**
 * Who could not renew a lease is told that it is lost, at its end at the latest, though
 * no server answers.
 */
final class ToldLosses implements Rule {

	@Override
	public Stream<String> violations(History history) {
		return history.ends()
			.filter((left) -> left.held()
					&& history.silences().anyMatch((silence) -> silence.outlasts(left.lock(), left.atNanos())))
			.map((left) -> "A holder was not told that its lease was over: " + left);
	}

}
