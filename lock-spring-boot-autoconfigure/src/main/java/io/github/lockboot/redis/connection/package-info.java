/**
 * The way to Redis: connections of the library's own, and scripts.
 */
@NullMarked
package io.github.lockboot.redis.connection;

import org.jspecify.annotations.NullMarked;
