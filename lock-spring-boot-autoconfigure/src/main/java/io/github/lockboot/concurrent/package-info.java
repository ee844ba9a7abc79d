/**
 * What lies below all work that is done later or by another thread: daemon threads,
 * timers, and what a stage failed with.
 */
@NullMarked
package io.github.lockboot.concurrent;

import org.jspecify.annotations.NullMarked;
