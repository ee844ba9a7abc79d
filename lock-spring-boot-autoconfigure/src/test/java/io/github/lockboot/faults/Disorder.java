package io.github.lockboot.faults;

/**
 * A time in which an attempt may lose its place in a queue: its JVM could not be told of
 * a hand-over, claim it, or live on in the queue.
 *
 * @param fromNanos before a fault
 * @param toNanos after its healing, when all have made progress
 * @param withinJvms whether the attempts of one JVM, too, may change their places
 */
record Disorder(long fromNanos, long toNanos, boolean withinJvms) {

	/**
	 * Whether one may have come before another one that had queued before it.
	 * @param first the one that had queued
	 * @param other the one that came before it
	 * @return true if so
	 */
	boolean excuses(Entry.Waited first, Entry.Waited other) {
		return first.sentNanos() <= this.toNanos && first.ownedNanos() >= this.fromNanos
				&& (this.withinJvms || !first.isOfSameJvm(other));
	}

}
