/**
 * Tests of leader elections.
 */
@NullMarked
package io.github.lockboot.leader;

import org.jspecify.annotations.NullMarked;
