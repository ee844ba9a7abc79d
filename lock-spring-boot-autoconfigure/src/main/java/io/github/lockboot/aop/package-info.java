/**
 * What advice on annotated methods needs, whatever it does: finding annotations and
 * beans, checking that calls reach the advice, and making a call later or again.
 */
@NullMarked
package io.github.lockboot.aop;

import org.jspecify.annotations.NullMarked;
