package io.github.lockboot.faults;

import java.util.stream.Stream;

/**
 * A holder that could not renew its lease is notified of the loss when the lease ends or
 * earlier, even if no server replies, or if another server replies that does not know the
 * lease.
 */
final class LossDetection implements Rule {

	@Override
	public Stream<String> violations(History history) {
		return Stream
			.concat(history.ends()
				.filter((ended) -> ended.held()
						&& history.outages().anyMatch((outage) -> outage.outlasts(ended.lock(), ended.atNanos()))),
					history.claimedHolds()
						.filter((claim) -> history.invalidations()
							.anyMatch((invalidations) -> invalidations.isOutlivedBy(claim))))
			.map((holder) -> "A holder was not notified of a lost lease: " + holder);
	}

}
