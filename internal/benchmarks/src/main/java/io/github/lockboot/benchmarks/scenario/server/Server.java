package io.github.lockboot.benchmarks.scenario.server;

import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;

/**
 * A database or an ensemble, which is started at its first use and runs until this JVM
 * ends.
 */
interface Server {

	/** Return the word with which the ids of its scenarios begin. */
	String id();

	/** Return the name in titles. */
	String label();

	/** Return the address for peers. */
	String address();

	/** Return the peers of a lock that is free, this library first, then the floor. */
	List<PeerKind> peers();

	/** Return those that can wait. */
	List<PeerKind> waitingPeers();

	/** Return what it counts, in the plural. */
	String unit();

	/** Return how many statements or requests it has received from all clients. */
	long count();

	/** Return how many it has received since an earlier count, without that count. */
	default long countSince(long before) {
		return count() - before;
	}

}
