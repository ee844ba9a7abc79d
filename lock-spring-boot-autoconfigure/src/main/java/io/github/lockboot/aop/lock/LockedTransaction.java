package io.github.lockboot.aop.lock;

import io.github.lockboot.Internal;
import io.github.lockboot.aop.ResultKind;

/**
 * The transaction of an annotated method, which is inside its lock.
 *
 * @param method description of the method for messages
 * @param lockName the name of the locks of the method
 * @param exclusive whether holders exclude each other: false for a semaphore
 * @param result how the result of the method shows that the work is done
 * @param qualifier qualifier of the transaction manager, empty for the default one
 * @since 1.0.0
 */
@Internal
public record LockedTransaction(String method, String lockName, boolean exclusive, ResultKind result,
		String qualifier) {

}
