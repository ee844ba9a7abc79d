/**
 * Auto-configuration of a rehearsal of lost locks.
 */
@NullMarked
package io.github.lockboot.autoconfigure.rehearsal;

import org.jspecify.annotations.NullMarked;
