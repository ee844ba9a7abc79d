package io.github.lockboot.engine.store;

/**
 * The fencing tokens that callers of this JVM get, made of those that the store gives
 * out: the same number with three digits behind it that tell this JVM from others.
 * <p>
 * A store's token is a moment in microseconds. While two servers give out one lock,
 * because one of them does not know yet that it was replaced, both may give out the same
 * moment, and a resource that checks tokens would let both holders pass. The digits come
 * last, so the order of tokens is that of the store. Those who share a lock have one
 * token in common, not below that of the exclusive holder before them: their digits are
 * the highest.
 */
public final class FencingTokens {

	private static final int SHARED = 999;

	private final int own;

	/**
	 * Create the tokens of a JVM.
	 */
	public FencingTokens(String instance) {
		this.own = Math.floorMod(instance.hashCode(), SHARED);
	}

	/**
	 * Return the token of an exclusive holder in this JVM.
	 */
	public long exclusive(long storeToken) {
		return storeToken * (SHARED + 1) + this.own;
	}

	/**
	 * Return the token of all who share a lock, in any JVM; it is also the highest that
	 * callers can have been given for a token of the store.
	 */
	public static long shared(long storeToken) {
		return (storeToken > 0) ? storeToken * (SHARED + 1) + SHARED : 0;
	}

}
