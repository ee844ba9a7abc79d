/**
 * Redlock: locks on several independent Redis masters, a majority of which decides.
 */
@NullMarked
package io.github.lockboot.redis.redlock;

import org.jspecify.annotations.NullMarked;
