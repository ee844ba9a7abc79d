/**
 * The lock engine: callers wait in the JVM, leases are renewed, and passed from thread to
 * thread. The engine uses a store by {@link io.github.lockboot.engine.store.LockStore}
 * only.
 */
@NullMarked
package io.github.lockboot.engine;

import org.jspecify.annotations.NullMarked;
