package io.github.lockboot.engine;

import java.util.ArrayList;
import java.util.List;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;

/**
 * One acquisition of a lock, or of several at once, by a thread that may hold them
 * already. Used by that thread only.
 *
 * @param locks what the thread holds
 * @param entries its entries for the locks
 * @param request as which they were acquired
 */
record ReentrantHold(ReentrantLocks locks, List<ReentrantLocks.Entry> entries, LockRequest request) {

	LockHandle handle() {
		return (this.entries.size() == 1) ? this.entries.get(0).hold() : this.locks.handleOf(holds());
	}

	/** Give back what the thread does not hold otherwise too; whether there was any. */
	boolean release() {
		List<Hold> last = new ArrayList<>(this.entries.size());
		for (ReentrantLocks.Entry entry : this.entries) {
			if (this.locks.exit(entry, this.request)) {
				last.add(entry.hold());
			}
		}
		if (last.size() == 1) {
			last.get(0).close();
		}
		else if (!last.isEmpty()) {
			this.locks.handleOf(last).close();
		}
		this.entries.forEach((entry) -> entry.hold().loseIfOver());
		return !last.isEmpty();
	}

	private List<Hold> holds() {
		return this.entries.stream().map(ReentrantLocks.Entry::hold).toList();
	}

}
