/**
 * Tells Micrometer what happens to caches.
 */
@NullMarked
package io.github.lockboot.cache.metrics;

import org.jspecify.annotations.NullMarked;
