/**
 * Tests that run the sample as its users do: as processes of its own.
 */
@NullMarked
package io.github.lockboot.sample;

import org.jspecify.annotations.NullMarked;
