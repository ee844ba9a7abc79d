/**
 * Tests of what operators see and do.
 */
@NullMarked
package io.github.lockboot.actuate;

import org.jspecify.annotations.NullMarked;
