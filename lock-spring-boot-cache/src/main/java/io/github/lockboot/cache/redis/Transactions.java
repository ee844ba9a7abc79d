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

	/** Returns when the caller's transaction began, or {@code null} if there is none. */
	default @Nullable Begin current() {
		return null;
	}

	/**
	 * Returns whether the caller's transaction has changed an entry and not yet
	 * committed, or has announced to change it: it must see its own changes, and no other
	 * caller may.
	 * @param key the entry, or {@code null} for the whole cache
	 */
	default boolean isChanging(String cache, @Nullable String key) {
		return false;
	}

	/**
	 * Returns whether loads of the caller may be stored and shared with others, which
	 * must not see uncommitted data: not in a transaction that has changed anything, nor
	 * in one that has announced a change in the cache.
	 */
	default boolean mayStore(String cache) {
		return true;
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
	 * @param ifUndone made instead if the transaction is rolled back to a savepoint from
	 * before
	 * @return false if there is no transaction; the change is not made then
	 */
	default boolean afterCommit(Change target, Runnable change, Runnable ifUndone) {
		return false;
	}

	/**
	 * Returns whether a transaction or a part of one was rolled back since the current
	 * thread announced changes: it may have been that of these changes.
	 */
	default boolean hasRolledBack() {
		return false;
	}

	/** A changed entry, or with a {@code null} for its key all entries of a cache. */
	record Change(String cache, @Nullable String key) {

	}

	/**
	 * When a transaction began.
	 *
	 * @param nanos in the time of the clock, or {@code null} if it is unknown
	 */
	record Begin(@Nullable Long nanos) {

	}

}
