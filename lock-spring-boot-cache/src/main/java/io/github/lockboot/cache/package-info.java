/**
 * The API of the cache: annotations, operations, and types for their users.
 */
@NullMarked
package io.github.lockboot.cache;

import org.jspecify.annotations.NullMarked;
