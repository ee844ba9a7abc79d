/**
 * An earlier version and this one at work on the same locks and the same cache.
 */
@NullMarked
package io.github.lockboot.rolling;

import org.jspecify.annotations.NullMarked;
