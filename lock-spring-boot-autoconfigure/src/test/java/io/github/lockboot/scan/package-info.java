/**
 * Tests of the first look for annotations.
 */
@NullMarked
package io.github.lockboot.scan;

import org.jspecify.annotations.NullMarked;
