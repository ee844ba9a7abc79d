/**
 * Tests of what advice on annotated methods needs.
 */
@NullMarked
package io.github.lockboot.advice;

import org.jspecify.annotations.NullMarked;
