/**
 * Locks in memory, for tests and for development on a single node.
 */
@NullMarked
package io.github.lockboot.local;

import org.jspecify.annotations.NullMarked;
