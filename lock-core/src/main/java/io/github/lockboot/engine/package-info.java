/**
 * The lock engine: callers wait in the JVM, and leases are renewed and passed from thread
 * to thread. The engine accesses a store only through
 * {@link io.github.lockboot.engine.store.LockStore}.
 */
@NullMarked
package io.github.lockboot.engine;

import org.jspecify.annotations.NullMarked;
