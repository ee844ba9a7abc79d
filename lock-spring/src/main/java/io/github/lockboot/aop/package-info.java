/**
 * The common parts of all advice on annotated methods: finding annotations and beans,
 * checking that calls reach the advice, and making a call later or again.
 */
@NullMarked
package io.github.lockboot.aop;

import org.jspecify.annotations.NullMarked;
