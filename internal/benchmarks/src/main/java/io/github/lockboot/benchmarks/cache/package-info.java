/**
 * The caches that are compared, each behind the same method.
 */
@NullMarked
package io.github.lockboot.benchmarks.cache;

import org.jspecify.annotations.NullMarked;
