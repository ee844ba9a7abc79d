/**
 * How values of the cache become bytes: a port, Jackson 3 and Jackson 2 behind it, and
 * what kinds of types they can bring back.
 */
@NullMarked
package io.github.lockboot.cache.codec;

import org.jspecify.annotations.NullMarked;
