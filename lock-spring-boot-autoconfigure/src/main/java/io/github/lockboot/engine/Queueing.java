package io.github.lockboot.engine;

import io.github.lockboot.Internal;

/**
 * Whether an attempt that finds its lock busy waits for it in the store's own queue, and
 * where.
 *
 * @param wanted whether it waits
 * @param sinceMicros since when it has waited by the store's time, in microseconds: if
 * the store has dropped it meanwhile, because its JVM could not be told of a grant, it
 * gets its place back
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
	 * Whether it has waited before.
	 * @return true if so
	 */
	public boolean isAgain() {
		return this.sinceMicros != Long.MAX_VALUE;
	}

}
