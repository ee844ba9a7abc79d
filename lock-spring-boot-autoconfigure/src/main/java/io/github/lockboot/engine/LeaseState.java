package io.github.lockboot.engine;

/**
 * What has become of an {@link OwnedLease}. The page docs/engine.md draws it.
 */
enum LeaseState {

	/** Callers hold it, and it is renewed. */
	HELD,

	/** Its last holder has released it; the store has not answered. */
	RELEASING,

	/** The store has answered, or nobody waits for its answer any longer. */
	RELEASED,

	/** It is over, and its holders are told so. */
	LOST;

	boolean mayBecome(LeaseState next) {
		return switch (this) {
			case HELD -> next == RELEASING || next == LOST;
			case RELEASING -> next == RELEASED || next == LOST;
			case RELEASED, LOST -> false;
		};
	}

}
