/**
 * Locks for Spring Integration, by
 * {@link io.github.lockboot.bridge.integration.LockOperationsRegistry}.
 */
@NullMarked
package io.github.lockboot.bridge.integration;

import org.jspecify.annotations.NullMarked;
