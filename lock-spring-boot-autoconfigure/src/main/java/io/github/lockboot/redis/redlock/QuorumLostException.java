package io.github.lockboot.redis.redlock;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Too few members have replied, or agreed. It is the cause of a
 * {@link io.github.lockboot.LockUnavailableException}.
 */
@SuppressWarnings("serial")
final class QuorumLostException extends RuntimeException {

	QuorumLostException(int answered, int members, int quorum, List<Throwable> failures) {
		super(answered + " of " + members + " servers answered, " + quorum + " have to agree"
				+ (failures.isEmpty() ? "" : "; the first that did not: " + failures.get(0)), first(failures));
	}

	private static @Nullable Throwable first(List<Throwable> failures) {
		return failures.isEmpty() ? null : failures.get(0);
	}

}
