package io.github.lockboot.faults;

/**
 * A time in which a waiter may lose its place in a queue, because its JVM could not
 * receive or claim a hand-over, or could not stay in the queue.
 *
 * @param fromNanos before a fault
 * @param toNanos after the fault was repaired and all have made progress
 * @param withinJvms whether also waiters of one JVM may be reordered
 */
record ReorderingWindow(long fromNanos, long toNanos, boolean withinJvms) {

	/**
	 * Whether a waiter may have acquired the lock before another one that had queued
	 * first.
	 * @param first the one that had queued first
	 * @param other the one that acquired the lock before it
	 * @return true if so
	 */
	boolean excuses(Entry.WaitEnded first, Entry.WaitEnded other) {
		return first.sentNanos() <= this.toNanos && first.ownedNanos() >= this.fromNanos
				&& (this.withinJvms || !first.isOfSameJvm(other));
	}

}
