/**
 * Redlock: locks on several independent Redis masters, of which a majority decides.
 */
@NullMarked
package io.github.lockboot.redis.redlock;

import org.jspecify.annotations.NullMarked;
