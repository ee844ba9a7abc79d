/**
 * Tests of what advice on annotated methods needs.
 */
@NullMarked
package io.github.lockboot.aop;

import org.jspecify.annotations.NullMarked;
