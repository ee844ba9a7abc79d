package io.github.lockboot.cache.transaction;

import java.util.Set;
import java.util.stream.Stream;

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
	 * Make a change after the commit, and not after a rollback; at once without a
	 * transaction.
	 * @param targets what the change affects, at least one entry or cache
	 * @param ifUndone the change to make instead if the outcome is unknown, if the
	 * transaction, or a part of it, may have been rolled back since the current thread
	 * announced changes, and, at once and after the commit, if the transaction was
	 * suspended since then, or another database is in use: the change may be that of
	 * another transaction, which has ended, or of none
	 */
	default void afterCommit(Set<Change> targets, Runnable change, Runnable ifUndone) {
		change.run();
	}

	/**
	 * Make all changes in order. A failed one must not prevent the others, since the data
	 * have changed already.
	 * @throws RuntimeException the first failure, with the others as suppressed ones
	 */
	static void makeAll(Stream<Runnable> changes) {
		RuntimeException failure = null;
		for (Runnable change : changes.toList()) {
			try {
				change.run();
			}
			catch (RuntimeException ex) {
				if (failure == null) {
					failure = ex;
				}
				else if (failure != ex) {
					failure.addSuppressed(ex);
				}
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	/**
	 * A change of an entry, of the entries of a tag, or with neither of all entries of a
	 * cache.
	 *
	 * @param tag the number of the tag
	 */
	record Change(String cache, @Nullable String key, @Nullable Integer tag) {

		public Change(String cache, @Nullable String key) {
			this(cache, key, null);
		}

		/** Return the entry, or all of the cache, since those of a tag are unknown. */
		public Change scope() {
			return (this.tag != null) ? new Change(this.cache, null) : this;
		}

		public boolean isAll() {
			return this.key == null && this.tag == null;
		}

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
