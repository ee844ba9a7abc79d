package io.github.lockboot.engine.support;

import io.github.lockboot.Internal;
import io.github.lockboot.engine.store.StoreTraits;

/**
 * The fencing tokens of callers in this JVM, derived from the tokens that the store
 * issues. If the store issues numbers that no two holders get, callers get these numbers.
 * <p>
 * If the store issues times in microseconds, three digits are appended that distinguish
 * this JVM from others. While two servers grant one lock, because one of them does not
 * know yet that it was replaced, both may issue the same time, and a resource that checks
 * tokens would otherwise accept both holders. The order of tokens is that of the store,
 * because the digits are the last ones. Holders that share a lock have one token in
 * common, which is not below that of the exclusive holder before them: shared holders
 * have the highest digits.
 */
@Internal
public final class FencingTokens {

	private static final int SHARED = 999;

	/** The greatest token, which as a time is in the year 2116. */
	private static final long GREATEST = Long.MAX_VALUE / 2;

	private final boolean times;

	private final int own;

	/**
	 * Create the tokens of a JVM from the kind of tokens of its store and the name of the
	 * JVM in the store.
	 */
	public FencingTokens(StoreTraits.Tokens tokens, String instance) {
		this.times = tokens == StoreTraits.Tokens.TIMES;
		this.own = Math.floorMod(instance.hashCode(), SHARED);
	}

	/** Return the token of an exclusive holder in this JVM. */
	public long exclusive(long storeToken) {
		return this.times ? storeToken * (SHARED + 1) + this.own : storeToken;
	}

	/**
	 * Return the token of the store from which the given token of a resource is derived;
	 * zero if the given token is too great to be one, which would leave no room for
	 * further tokens.
	 */
	public long ofStore(long token) {
		return (token > GREATEST) ? 0 : this.times ? token / (SHARED + 1) : token;
	}

	/**
	 * Return the token of all holders that share a lock, in any JVM. This is also the
	 * highest token that callers can have for a token of the store.
	 */
	public long shared(long storeToken) {
		return (this.times && storeToken > 0) ? storeToken * (SHARED + 1) + SHARED : storeToken;
	}

}
