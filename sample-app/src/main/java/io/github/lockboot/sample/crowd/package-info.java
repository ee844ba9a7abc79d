/**
 * Many callers at once, within this instance.
 */
@NullMarked
package io.github.lockboot.sample.crowd;

import org.jspecify.annotations.NullMarked;
