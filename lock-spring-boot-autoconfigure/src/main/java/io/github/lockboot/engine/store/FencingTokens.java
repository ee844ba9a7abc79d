package io.github.lockboot.engine.store;

import io.github.lockboot.Internal;

/**
 * The fencing tokens of callers in this JVM, derived from those that the store issues:
 * the same number, followed by three digits that distinguish this JVM from others.
 * <p>
 * A store's token is a time in microseconds. While two servers grant one lock, because
 * one of them does not know yet that it was replaced, both may issue the same time, and a
 * resource that checks tokens would accept both holders. The order of tokens is that of
 * the store, because the digits are the last ones. Holders that share a lock have one
 * token in common, not below that of the exclusive holder before them: their digits are
 * the highest.
 */
@Internal
public final class FencingTokens {

	private static final int SHARED = 999;

	private final int own;

	/** Create the tokens of a JVM, from its name in the store. */
	public FencingTokens(String instance) {
		this.own = Math.floorMod(instance.hashCode(), SHARED);
	}

	/** Return the token of an exclusive holder in this JVM. */
	public long exclusive(long storeToken) {
		return storeToken * (SHARED + 1) + this.own;
	}

	/**
	 * Return the token of all holders that share a lock, in any JVM. It is also the
	 * highest one that callers can have for a token of the store.
	 */
	public static long shared(long storeToken) {
		return (storeToken > 0) ? storeToken * (SHARED + 1) + SHARED : 0;
	}

}
