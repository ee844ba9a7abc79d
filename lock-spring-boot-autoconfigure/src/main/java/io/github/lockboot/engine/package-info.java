/**
 * One engine for every store: waiting in the JVM, leases and their renewal, passing from
 * thread to thread. What it needs from a store is the port
 * {@link io.github.lockboot.engine.store.LockStore}; it knows no store by name.
 */
@NullMarked
package io.github.lockboot.engine;

import org.jspecify.annotations.NullMarked;
