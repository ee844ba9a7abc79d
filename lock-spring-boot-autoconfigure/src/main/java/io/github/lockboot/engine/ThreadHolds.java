package io.github.lockboot.engine;

import org.jspecify.annotations.Nullable;

/**
 * What each thread holds by sections and as {@link java.util.concurrent.locks.Lock}, with
 * counts: the memory that makes both re-entrant. A thread that holds nothing has no
 * entry.
 */
final class ThreadHolds {

	private final ThreadLocal<@Nullable Entry> newest = new ThreadLocal<>();

	/**
	 * Return the present thread's entry for a lock.
	 * @param lock name of the lock
	 * @return the entry, or {@code null}
	 */
	@Nullable Entry find(String lock) {
		for (Entry entry = this.newest.get(); entry != null; entry = entry.older) {
			if (entry.hold.name().equals(lock)) {
				return entry;
			}
		}
		return null;
	}

	/**
	 * Remember a hold of the present thread.
	 * @param hold the hold
	 * @return its entry, entered once
	 */
	Entry enter(Hold hold) {
		Entry entry = new Entry(hold, this.newest.get());
		this.newest.set(entry);
		return entry;
	}

	/**
	 * Leave an entry of the present thread once.
	 * @param entry the entry
	 * @return whether that was the last time: then the hold is to be closed
	 */
	boolean exit(Entry entry) {
		entry.depth--;
		if (entry.depth > 0) {
			return false;
		}
		remove(entry);
		return true;
	}

	private void remove(Entry entry) {
		Entry newest = this.newest.get();
		if (newest == entry) {
			if (entry.older == null) {
				this.newest.remove();
			}
			else {
				this.newest.set(entry.older);
			}
			return;
		}
		for (Entry each = newest; each != null; each = each.older) {
			if (each.older == entry) {
				each.older = entry.older;
				return;
			}
		}
	}

	/**
	 * A hold of a thread. Used by that thread only.
	 */
	static final class Entry {

		private final Hold hold;

		private @Nullable Entry older;

		private int depth = 1;

		private Entry(Hold hold, @Nullable Entry older) {
			this.hold = hold;
			this.older = older;
		}

		Hold hold() {
			return this.hold;
		}

		/**
		 * Enter once more.
		 * @throws io.github.lockboot.LockLostException if the lock was lost meanwhile
		 */
		void reenter() {
			this.hold.ensureHeld();
			this.depth++;
		}

	}

}
