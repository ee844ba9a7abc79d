/**
 * Tests that run the sample as its users do: in separate processes.
 */
@NullMarked
package io.github.lockboot.sample;

import org.jspecify.annotations.NullMarked;
