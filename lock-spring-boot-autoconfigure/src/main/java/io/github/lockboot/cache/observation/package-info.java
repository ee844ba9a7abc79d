/**
 * Tells Micrometer what happens to caches.
 */
@NullMarked
package io.github.lockboot.cache.observation;

import org.jspecify.annotations.NullMarked;
