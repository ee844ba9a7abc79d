/**
 * What the callers of one JVM share: reads, loads and changes of entries, above the store
 * in Redis.
 */
@NullMarked
package io.github.lockboot.cache.engine;

import org.jspecify.annotations.NullMarked;
