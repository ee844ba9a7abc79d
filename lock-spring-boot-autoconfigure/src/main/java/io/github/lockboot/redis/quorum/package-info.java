/**
 * Redlock: locks on several independent Redis masters, of which a majority decides.
 */
@NullMarked
package io.github.lockboot.redis.quorum;

import org.jspecify.annotations.NullMarked;
