package io.github.lockboot.faults;

import java.time.Duration;
import java.util.stream.Stream;

/**
 * A JVM that dies while it retains a lock that nobody holds delays others for no longer
 * than the claim window, however long the lease of a holder is.
 */
final class ShortRetention implements Rule {

	/** For a busy machine; far shorter than the lease of a holder. */
	private static final Duration SLACK = Duration.ofSeconds(3);

	@Override
	public Stream<String> violations(History history) {
		return history.retainerCrashes()
			.filter((crash) -> crash.takenNanos() - crash.killedNanos() > FaultRun.CLAIM_WINDOW.plus(SLACK).toNanos())
			.map((crash) -> "A killed worker that retained a lock delayed others for too long: " + crash);
	}

}
