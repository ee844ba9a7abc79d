package io.github.lockboot.engine;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * A lock as {@link ReadWriteLock}.
 *
 * @param readLock shares the lock
 * @param writeLock holds it exclusively
 */
record ReadWriteLockView(Lock readLock, Lock writeLock) implements ReadWriteLock {

}
