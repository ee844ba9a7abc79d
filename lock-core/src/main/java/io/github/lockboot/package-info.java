/**
 * API of the locks: the types that applications use in code.
 */
@NullMarked
package io.github.lockboot;

import org.jspecify.annotations.NullMarked;
