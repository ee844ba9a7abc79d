/**
 * The stampede: many callers want the same page, whose query is slow, at once.
 */
@NullMarked
package io.github.lockboot.sample.stampede;

import org.jspecify.annotations.NullMarked;
