/**
 * Tests of leader elections in applications.
 */
@NullMarked
package io.github.lockboot.autoconfigure.leader;

import org.jspecify.annotations.NullMarked;
