/**
 * The cache of methods: annotations, the operations and what their users write.
 */
@NullMarked
package io.github.lockboot.cache;

import org.jspecify.annotations.NullMarked;
