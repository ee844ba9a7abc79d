package io.github.lockboot.engine;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockRequest;

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
	 * Whether the present thread holds anything.
	 * @return true if so
	 */
	boolean any() {
		return this.newest.get() != null;
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
	 * Forget a hold that the present thread took as
	 * {@link java.util.concurrent.locks.Lock} and has lost, so that it can take the lock
	 * anew. One of a section stays until that ends.
	 * @param lock name of the lock
	 */
	void forgetLost(String lock) {
		Entry entry = find(lock);
		if (entry != null && entry.ofLockView && entry.hold.loss() != null) {
			remove(entry);
		}
	}

	/**
	 * Leave an entry of the present thread once. The last one that wanted the lock
	 * exclusively lets others share it from then on.
	 * @param entry the entry
	 * @param request as which it was entered
	 * @return whether that was the last time: then the lock is to be given back
	 */
	boolean exit(Entry entry, LockRequest request) {
		entry.depth--;
		if (request.isExclusive()) {
			entry.exclusiveDepth--;
		}
		if (entry.depth == 0) {
			remove(entry);
		}
		else if (entry.exclusiveDepth == 0) {
			entry.hold.downgrade();
		}
		return entry.depth == 0;
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

		private int exclusiveDepth;

		/** Whether it began as {@link java.util.concurrent.locks.Lock}. */
		private boolean ofLockView;

		private Entry(Hold hold, @Nullable Entry older) {
			this.hold = hold;
			this.older = older;
			this.exclusiveDepth = hold.isShared() ? 0 : 1;
		}

		Hold hold() {
			return this.hold;
		}

		/**
		 * Whether it was entered in a way and not left since.
		 * @param exclusive exclusively, or sharing
		 * @return true if so
		 */
		boolean isEntered(boolean exclusive) {
			return (exclusive ? this.exclusiveDepth : this.depth - this.exclusiveDepth) > 0;
		}

		/** Note that it was just entered as {@link java.util.concurrent.locks.Lock}. */
		void enteredByLockView() {
			this.ofLockView |= this.depth == 1;
		}

		/**
		 * Enter once more.
		 * @param request as which to enter
		 * @throws LockInterruptedException if the thread is interrupted
		 * @throws io.github.lockboot.LockLostException if the lock was lost meanwhile
		 * @throws IllegalStateException if the lock is shared and wanted exclusively: the
		 * thread would wait for itself
		 */
		void reenter(LockRequest request) {
			if (Thread.currentThread().isInterrupted()) {
				throw new LockInterruptedException(request.name());
			}
			this.hold.ensureHeld();
			if (request.isExclusive()) {
				Assert.state(!this.hold.isShared(),
						() -> "Lock '" + this.hold.name() + "' can't be upgraded: this thread shares it, and would wait"
								+ " for itself to have it exclusively; take it exclusively from the start");
				this.exclusiveDepth++;
			}
			this.depth++;
		}

	}

}
