/**
 * Faults that visitors cause by a button.
 */
@NullMarked
package io.github.lockboot.sample.faults;

import org.jspecify.annotations.NullMarked;
