package io.github.lockboot.aop.lock;

import org.springframework.transaction.interceptor.TransactionAttribute;

import io.github.lockboot.Internal;
import io.github.lockboot.aop.ResultKind;

/**
 * The transaction of an annotated method, which is inside its lock.
 *
 * @param method describes the method in a message
 * @param lockName the name of its locks
 * @param exclusive whether a later holder excludes it: false for a semaphore
 * @param result how its result shows that its work is done
 * @param attribute how the transaction is declared
 */
@Internal
public record LockedTransaction(String method, String lockName, boolean exclusive, ResultKind result,
		TransactionAttribute attribute) {

}
