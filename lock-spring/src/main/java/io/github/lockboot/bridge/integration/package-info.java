/**
 * Locks for Spring Integration, provided by
 * {@link io.github.lockboot.bridge.integration.LockOperationsRegistry}.
 */
@NullMarked
package io.github.lockboot.bridge.integration;

import org.jspecify.annotations.NullMarked;
