/**
 * The way to Redis: connections of the library's own, and scripts.
 */
@NullMarked
package io.github.lockboot.redis.transport;

import org.jspecify.annotations.NullMarked;
