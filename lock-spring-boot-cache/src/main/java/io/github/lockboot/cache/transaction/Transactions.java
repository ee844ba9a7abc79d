package io.github.lockboot.cache.transaction;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * The caller's transaction, as far as it matters to the cache. By default there is no
 * transaction.
 */
@Internal
public interface Transactions {

	/** No transactions at all. */
	Transactions NONE = new Transactions() {
	};

	/**
	 * Return how the caller's transaction reads an entry, {@code null} without a
	 * transaction.
	 */
	default @Nullable View view(String cache, String key) {
		return null;
	}

	/**
	 * Announce changes of the current thread.
	 * @return ends the announcement, on the same thread
	 */
	default Runnable announce(Set<Change> changes) {
		return () -> {
		};
	}

	/**
	 * Make a change after the commit, and not after a rollback.
	 * @param targets what the change affects, at least one entry or cache
	 * @param ifUndone the change to make instead if the transaction is rolled back to an
	 * earlier savepoint
	 * @return false if there is no transaction; the change is not made then
	 */
	default boolean afterCommit(Set<Change> targets, Runnable change, Runnable ifUndone) {
		return false;
	}

	/**
	 * Return whether a transaction, or a part of one, was rolled back since the current
	 * thread announced changes: perhaps the transaction of these changes.
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
	 * @param beganNanos when the transaction began, in the time of the clock;
	 * {@code null} if unknown
	 * @param changing whether the transaction has changed the entry, or has announced a
	 * change: it must see its own changes, and no other caller may see them
	 * @param mayStore whether loads of the transaction may be stored and shared with
	 * others, which must not see uncommitted data: not once the transaction has changed
	 * anything, or has announced a change in the cache
	 */
	record View(@Nullable Long beganNanos, boolean changing, boolean mayStore) {

	}

}
