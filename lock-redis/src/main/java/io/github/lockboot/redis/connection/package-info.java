/**
 * Connections to Redis: subscriptions, scripts and topologies.
 */
@NullMarked
package io.github.lockboot.redis.connection;

import org.jspecify.annotations.NullMarked;
