/**
 * Tests of what lies below all work that is done later.
 */
@NullMarked
package io.github.lockboot.concurrent;

import org.jspecify.annotations.NullMarked;
