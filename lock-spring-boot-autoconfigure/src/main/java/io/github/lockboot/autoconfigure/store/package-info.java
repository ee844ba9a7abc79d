/**
 * The descriptions of the stores on the class path.
 */
@NullMarked
package io.github.lockboot.autoconfigure.store;

import org.jspecify.annotations.NullMarked;
