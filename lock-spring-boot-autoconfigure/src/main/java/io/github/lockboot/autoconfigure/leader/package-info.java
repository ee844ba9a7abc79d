/**
 * Auto-configuration of leader elections.
 */
@NullMarked
package io.github.lockboot.autoconfigure.leader;

import org.jspecify.annotations.NullMarked;
