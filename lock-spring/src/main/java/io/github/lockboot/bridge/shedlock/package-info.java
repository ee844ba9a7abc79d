/**
 * Locks for ShedLock, provided by
 * {@link io.github.lockboot.bridge.shedlock.LockOperationsProvider}.
 */
@NullMarked
package io.github.lockboot.bridge.shedlock;

import org.jspecify.annotations.NullMarked;
