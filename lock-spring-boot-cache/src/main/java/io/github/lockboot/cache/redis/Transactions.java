package io.github.lockboot.cache.redis;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * The caller's transaction, as far as it matters to the cache. By default there is none.
 */
@Internal
public interface Transactions {

	/** No transactions at all. */
	Transactions NONE = new Transactions() {
	};

	/** Return how the caller's transaction reads an entry, null if there is none. */
	default @Nullable View view(String cache, String key) {
		return null;
	}

	/**
	 * Announces changes of the current thread.
	 * @return ends the announcement, on the same thread
	 */
	default Runnable announce(Set<Change> changes) {
		return () -> {
		};
	}

	/**
	 * Makes a change after the commit, and not after a rollback.
	 * @param targets what it changes, at least one entry or cache
	 * @param ifUndone made instead if the transaction is rolled back to a savepoint from
	 * before
	 * @return false if there is no transaction; the change is not made then
	 */
	default boolean afterCommit(Set<Change> targets, Runnable change, Runnable ifUndone) {
		return false;
	}

	/**
	 * Return whether a transaction or a part of one was rolled back since the current
	 * thread announced changes: it may have been that of these changes.
	 */
	default boolean hasRolledBack() {
		return false;
	}

	/** A changed entry, or with a {@code null} for its key all entries of a cache. */
	record Change(String cache, @Nullable String key) {

	}

	/**
	 * How a transaction reads an entry.
	 *
	 * @param beganNanos when it began, in the time of the clock; {@code null} if that is
	 * unknown
	 * @param changing whether it has changed the entry, or has announced that: it must
	 * see its own changes, and no other caller may
	 * @param mayStore whether its loads may be stored and shared with others, which must
	 * not see uncommitted data: not once it has changed anything, or has announced a
	 * change in the cache
	 */
	record View(@Nullable Long beganNanos, boolean changing, boolean mayStore) {

	}

}
