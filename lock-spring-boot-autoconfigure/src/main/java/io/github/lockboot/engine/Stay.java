package io.github.lockboot.engine;

import java.util.ArrayList;
import java.util.List;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;

/**
 * The time from which a thread holds one lock, or several at once, until it leaves them.
 * Used by that thread only.
 */
interface Stay {

	LockHandle hold();

	/**
	 * Give back what the thread does not hold from elsewhere too.
	 * @return whether anything was given back
	 */
	boolean leave();

	/**
	 * Of one lock.
	 *
	 * @param threadHolds what the thread holds
	 * @param entry its entry for the lock
	 * @param request as which it was entered
	 */
	record One(ThreadHolds threadHolds, ThreadHolds.Entry entry, LockRequest request) implements Stay {

		@Override
		public LockHandle hold() {
			return this.entry.hold();
		}

		@Override
		public boolean leave() {
			boolean last = this.threadHolds.exit(this.entry, this.request);
			if (last) {
				this.entry.hold().close();
			}
			this.entry.hold().loseIfOver();
			return last;
		}

	}

	/**
	 * Of several locks.
	 *
	 * @param engine where they are given back together
	 * @param threadHolds what the thread holds
	 * @param entries its entries for the locks
	 * @param request as which they were entered
	 */
	record Several(LockEngine engine, ThreadHolds threadHolds, List<ThreadHolds.Entry> entries,
			LockRequest request) implements Stay {

		@Override
		public LockHandle hold() {
			return new MultiLockHandle(this.engine, holds());
		}

		@Override
		public boolean leave() {
			List<Hold> last = new ArrayList<>();
			for (ThreadHolds.Entry entry : this.entries) {
				if (this.threadHolds.exit(entry, this.request)) {
					last.add(entry.hold());
				}
			}
			new MultiLockHandle(this.engine, last).close();
			holds().forEach(Hold::loseIfOver);
			return !last.isEmpty();
		}

		private List<Hold> holds() {
			return this.entries.stream().map(ThreadHolds.Entry::hold).toList();
		}

	}

}
