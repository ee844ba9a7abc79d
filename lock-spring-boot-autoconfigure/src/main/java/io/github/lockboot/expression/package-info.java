/**
 * Keys written as SpEL, parsed once per method.
 */
@NullMarked
package io.github.lockboot.expression;

import org.jspecify.annotations.NullMarked;
