/**
 * The transactions of callers, as far as they matter to the cache.
 */
@NullMarked
package io.github.lockboot.cache.transaction;

import org.jspecify.annotations.NullMarked;
