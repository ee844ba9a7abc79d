package io.github.lockboot.engine.store;

import java.util.Set;

import io.github.lockboot.Internal;

/**
 * What a store can do. The traits of a store never change. Each reply of the store
 * contains whether the store can notify a waiter at that moment.
 *
 * @param store what the store is, for messages
 * @param blocking whether a call may use, and block, the thread that calls
 */
@Internal
public record StoreTraits(String store, Tokens tokens, Waiting waiting, Leases leases, Set<Kind> kinds,
		boolean blocking) {

	public static final Set<Kind> ALL_KINDS = Set.of(Kind.values());

	/** Create the traits of a store whose calls never block a thread. */
	public StoreTraits(String store, Tokens tokens, Waiting waiting, Leases leases, Set<Kind> kinds) {
		this(store, tokens, waiting, leases, kinds, false);
	}

	/** What a fencing token is. */
	public enum Tokens {

		/** A time in microseconds; two servers may issue the same time. */
		TIMES,

		/** A number that no two holders get, in the order of the store's transactions. */
		NUMBERS

	}

	/** How a waiter learns that it may acquire the lock. */
	public enum Waiting {

		/**
		 * The store queues the waiters, grants the lock to the first one, and tells the
		 * owner that others wait. Only such a store serves {@code fair} requests in the
		 * order of their arrival over all JVMs, and only its locks can be retained.
		 */
		GRANTS,

		/**
		 * Waiters request the lock again and again, and compete for it. The store may
		 * push a message that the lock may be free.
		 */
		POLLING

	}

	/** What a lease belongs to. */
	public enum Leases {

		/** One lock: the lease has its own length and is renewed separately. */
		LOCK,

		/** The session of a JVM: all its locks are renewed and lost together. */
		SESSION

	}

	/** How a lock can be held. */
	public enum Kind {

		/** By one holder. */
		EXCLUSIVE,

		/** By any number of holders. */
		SHARED,

		/** By a limited number of holders, whom the store counts. */
		PERMITS

	}

}
