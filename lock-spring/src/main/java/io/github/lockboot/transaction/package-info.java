/**
 * Locks that transactions hold.
 */
@NullMarked
package io.github.lockboot.transaction;

import org.jspecify.annotations.NullMarked;
