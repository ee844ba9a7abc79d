package io.github.lockboot.engine.store;

import io.github.lockboot.Internal;

/**
 * Whether an attempt that finds its lock busy waits for it in the store's own queue, and
 * where.
 *
 * @param wanted whether it waits
 * @param sinceMicros since when it has waited by the store's time, in microseconds: if
 * the store has dropped it meanwhile, because no grant could be pushed to its JVM, it
 * gets its place back; if negative, how long ago it asked without an answer
 * @since 1.0.0
 */
@Internal
public record Queueing(boolean wanted, long sinceMicros) {

	/**
	 * It does not wait.
	 */
	public static final Queueing NO = new Queueing(false, Long.MAX_VALUE);

	/**
	 * It waits behind all others.
	 */
	public static final Queueing TAIL = new Queueing(true, Long.MAX_VALUE);

	/**
	 * It has waited before.
	 * @param storeMicros since when
	 * @return its place
	 */
	public static Queueing since(long storeMicros) {
		return new Queueing(true, storeMicros);
	}

	/**
	 * It may have waited since it got no answer.
	 * @param micros how long ago that was
	 * @return its place
	 */
	public static Queueing unansweredFor(long micros) {
		return new Queueing(true, -Math.max(1, micros));
	}

	/**
	 * Return its place once the store has answered for the first time that it waits.
	 * @param storeMicros the time of that answer
	 * @return its place from now on
	 */
	public Queueing from(long storeMicros) {
		return since(storeMicros + Math.min(0, this.sinceMicros));
	}

	/**
	 * Whether it has waited before, or may have.
	 * @return true if so
	 */
	public boolean isAgain() {
		return this.sinceMicros != Long.MAX_VALUE;
	}

}
