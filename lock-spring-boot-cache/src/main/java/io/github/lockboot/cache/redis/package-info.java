/**
 * The cache on Redis: the template that applications use, and the reads and loads that
 * the callers of one JVM share.
 */
@NullMarked
package io.github.lockboot.cache.redis;

import org.jspecify.annotations.NullMarked;
