/**
 * Daemon threads, timers, and failures of stages.
 */
@NullMarked
package io.github.lockboot.concurrent;

import org.jspecify.annotations.NullMarked;
