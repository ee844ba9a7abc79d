package io.github.lockboot.cache.redis;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * The caller's transaction, as far as it matters to the cache.
 *
 * @since 1.0.0
 */
@Internal
public interface Transactions {

	/** No transactions at all. */
	Transactions NONE = new Transactions() {

		@Override
		public @Nullable Begin current() {
			return null;
		}

		@Override
		public boolean isChanging(String cache, @Nullable String key) {
			return false;
		}

		@Override
		public boolean mayStore(String cache) {
			return true;
		}

		@Override
		public Runnable announce(Set<Change> changes) {
			return () -> {
			};
		}

		@Override
		public boolean afterCommit(String cache, @Nullable String key, Runnable change) {
			return false;
		}

	};

	/** Return when the caller's transaction began, or {@code null} if there is none. */
	@Nullable Begin current();

	/**
	 * Whether the caller's transaction has changed an entry and not yet committed, or is
	 * announced to do so: it must see its own changes, and nobody else may.
	 * @param key the entry, or {@code null} to ask for the whole cache
	 */
	boolean isChanging(String cache, @Nullable String key);

	/**
	 * Whether what the caller loads may be stored and shown to others, who must not see
	 * what is not committed: not in a transaction that has changed anything, nor in one
	 * that is announced to change something in the cache.
	 */
	boolean mayStore(String cache);

	/**
	 * Announce changes of the present thread.
	 * @return ends the announcement, on the same thread
	 */
	Runnable announce(Set<Change> changes);

	/**
	 * Do something after the commit, and not if the transaction is rolled back.
	 * @param key the entry that is changed, or {@code null} for all entries
	 * @return false if there is no transaction; nothing is done then
	 */
	boolean afterCommit(String cache, @Nullable String key, Runnable change);

	/** A changed entry, or with a {@code null} for its key all entries of a cache. */
	record Change(String cache, @Nullable String key) {

	}

	/**
	 * When a transaction began.
	 *
	 * @param nanos in the time of the clock, or {@code null} if nobody has seen it
	 */
	record Begin(@Nullable Long nanos) {

	}

}
