/**
 * Expressions about the calls of a method, parsed once.
 */
@NullMarked
package io.github.lockboot.expression;

import org.jspecify.annotations.NullMarked;
