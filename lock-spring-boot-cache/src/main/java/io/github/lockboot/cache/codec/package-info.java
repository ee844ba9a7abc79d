/**
 * Serialization of values: the codec interface, its implementations with Jackson 3 and
 * Jackson 2, and the types that they support.
 */
@NullMarked
package io.github.lockboot.cache.codec;

import org.jspecify.annotations.NullMarked;
