/**
 * Tests of the advice of locked methods.
 */
@NullMarked
package io.github.lockboot.aop.lock;

import org.jspecify.annotations.NullMarked;
