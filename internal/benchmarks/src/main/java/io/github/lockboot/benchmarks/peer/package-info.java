/**
 * The locks that are compared, each behind the same few methods.
 */
@NullMarked
package io.github.lockboot.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
