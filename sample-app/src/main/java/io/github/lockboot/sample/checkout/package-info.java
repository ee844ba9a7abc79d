/**
 * The sale that always runs: one piece at a time, one buyer at a time.
 */
@NullMarked
package io.github.lockboot.sample.checkout;

import org.jspecify.annotations.NullMarked;
