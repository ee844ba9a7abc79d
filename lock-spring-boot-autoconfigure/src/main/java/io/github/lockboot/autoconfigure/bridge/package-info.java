/**
 * Auto-configuration of the locks for other libraries.
 */
@NullMarked
package io.github.lockboot.autoconfigure.bridge;

import org.jspecify.annotations.NullMarked;
