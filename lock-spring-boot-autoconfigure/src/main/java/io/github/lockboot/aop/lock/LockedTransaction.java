package io.github.lockboot.aop.lock;

import io.github.lockboot.Internal;
import io.github.lockboot.aop.ResultKind;

/**
 * The transaction of an annotated method, which is inside its lock.
 *
 * @param method describes the method in a message
 * @param lockName the name of its locks
 * @param exclusive whether a later holder excludes it: false for a semaphore
 * @param result how its result shows that its work is done
 * @param qualifier that of the transaction manager, empty for the default one
 * @param present whether there is one for each call, by its propagation
 */
@Internal
public record LockedTransaction(String method, String lockName, boolean exclusive, ResultKind result, String qualifier,
		boolean present) {

}
