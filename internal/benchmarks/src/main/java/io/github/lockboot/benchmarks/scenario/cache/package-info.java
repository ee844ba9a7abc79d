/**
 * The scenarios of the cache.
 */
@NullMarked
package io.github.lockboot.benchmarks.scenario.cache;

import org.jspecify.annotations.NullMarked;
