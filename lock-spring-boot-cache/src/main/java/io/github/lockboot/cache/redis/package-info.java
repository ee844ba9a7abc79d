/**
 * The cache on Redis: the template that users see, and the flights by which callers of
 * one JVM share reads and loads.
 */
@NullMarked
package io.github.lockboot.cache.redis;

import org.jspecify.annotations.NullMarked;
