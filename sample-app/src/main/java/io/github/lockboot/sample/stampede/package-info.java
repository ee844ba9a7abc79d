/**
 * The stampede: many concurrent callers of one page, whose query is slow.
 */
@NullMarked
package io.github.lockboot.sample.stampede;

import org.jspecify.annotations.NullMarked;
