/**
 * Tests of an earlier version and this one on the same locks and the same cache.
 */
@NullMarked
package io.github.lockboot.rolling;

import org.jspecify.annotations.NullMarked;
