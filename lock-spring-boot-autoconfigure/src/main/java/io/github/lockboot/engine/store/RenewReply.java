package io.github.lockboot.engine.store;

import io.github.lockboot.Internal;

/**
 * What a store answers to a renewal.
 *
 * @since 1.0.0
 */
@Internal
public sealed interface RenewReply {

	/**
	 * The lease begins anew.
	 *
	 * @param reserved highest fencing token that this owner may give out now
	 * @param queued how many attempts of others wait in the store's queue, or
	 * {@link LockStore#UNKNOWN_QUEUE}
	 */
	record Renewed(long reserved, long queued) implements RenewReply {

	}

	/**
	 * The attempt does not own the lock any more.
	 */
	record NotOwner() implements RenewReply {

	}

}
