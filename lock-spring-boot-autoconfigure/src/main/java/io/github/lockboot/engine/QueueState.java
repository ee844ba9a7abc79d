package io.github.lockboot.engine;

/**
 * What this JVM does about a lock. The page docs/engine.md draws it.
 */
enum QueueState {

	/** Nobody has asked for the lock yet. */
	NEW,

	/** The store has a request for the lock and has not answered. */
	ASKING,

	/** The store queues the attempt, or the next request has to wait for its time. */
	WAITING,

	/** An attempt owns the lock: there is an {@link OwnedLease}. */
	OWNED,

	/** Nobody waits and nothing is owned. A new queue serves the next caller. */
	ENDED;

	boolean mayBecome(QueueState next) {
		return switch (this) {
			case NEW -> next == ASKING;
			case ASKING, WAITING -> next != NEW;
			case OWNED -> next == ASKING || next == WAITING || next == ENDED;
			case ENDED -> false;
		};
	}

}
