/**
 * Faults that a visitor injects with a button.
 */
@NullMarked
package io.github.lockboot.sample.faults;

import org.jspecify.annotations.NullMarked;
