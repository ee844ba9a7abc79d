package io.github.lockboot.engine.store;

import java.util.Set;

import io.github.lockboot.Internal;

/**
 * What a store can do. A store always has the same traits. Whether it can notify a waiter
 * just now, each of its replies tells.
 *
 * @param store what the store is, for messages
 * @since 1.0.0
 */
@Internal
public record StoreTraits(String store, Tokens tokens, Waiting waiting, Leases leases, Set<Kind> kinds) {

	/** All kinds. */
	public static final Set<Kind> ALL_KINDS = Set.of(Kind.values());

	/** What a fencing token is. */
	public enum Tokens {

		/** A time in microseconds: two servers may come to issue the same one. */
		TIMES,

		/** A number that no two holders get, in the order of the store's transactions. */
		NUMBERS

	}

	/** How a waiter notices that it may have its lock. */
	public enum Waiting {

		/**
		 * The store queues the waiters, grants the lock to the first one, and tells the
		 * owner that others wait. Only such a store serves {@code fair} requests in the
		 * order of their arrival over all JVMs, and only its locks can be retained.
		 */
		GRANTS,

		/**
		 * Waiters request the lock again and again, and compete for it. The store may
		 * push that it may be free.
		 */
		POLLING

	}

	/** What a lease belongs to. */
	public enum Leases {

		/** One lock: it has a length of its own, and is renewed on its own. */
		LOCK,

		/** The session of a JVM: all its locks are renewed and lost together. */
		SESSION

	}

	/** How a lock can be held. */
	public enum Kind {

		/** By one holder. */
		EXCLUSIVE,

		/** By any number. */
		SHARED,

		/** By a limited number: the store counts the holders. */
		PERMITS

	}

}
