/**
 * The port of the engine to a store that keeps leases:
 * {@link io.github.lockboot.engine.store.LockStore} and
 * {@link io.github.lockboot.engine.store.LockPushes}.
 */
@NullMarked
package io.github.lockboot.engine.store;

import org.jspecify.annotations.NullMarked;
