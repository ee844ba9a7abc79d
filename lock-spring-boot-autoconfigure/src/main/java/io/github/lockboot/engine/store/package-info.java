/**
 * What the engine needs from a place that keeps leases:
 * {@link io.github.lockboot.engine.store.LockStore}, what it answers and pushes, and the
 * clock.
 */
@NullMarked
package io.github.lockboot.engine.store;

import org.jspecify.annotations.NullMarked;
