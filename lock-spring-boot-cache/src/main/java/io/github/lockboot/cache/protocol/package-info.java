/**
 * The protocol of the cache with Redis: keys, entries, scripts, their replies and
 * messages. This package does not depend on methods and values.
 */
@NullMarked
package io.github.lockboot.cache.protocol;

import org.jspecify.annotations.NullMarked;
