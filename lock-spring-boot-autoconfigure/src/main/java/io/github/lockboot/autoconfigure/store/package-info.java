/**
 * The descriptions of the stores on the class path, and of the features that need Redis.
 */
@NullMarked
package io.github.lockboot.autoconfigure.store;

import org.jspecify.annotations.NullMarked;
