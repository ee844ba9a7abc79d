/**
 * Meters of caches for Micrometer.
 */
@NullMarked
package io.github.lockboot.cache.metrics;

import org.jspecify.annotations.NullMarked;
