/**
 * The cache on Redis as applications create it.
 */
@NullMarked
package io.github.lockboot.cache.redis;

import org.jspecify.annotations.NullMarked;
