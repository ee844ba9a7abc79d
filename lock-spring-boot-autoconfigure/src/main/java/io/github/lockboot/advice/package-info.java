/**
 * What advice on annotated methods needs, whatever it does: to find the types and the
 * beans, to know whether calls come to it, and to make a call later or again.
 */
@NullMarked
package io.github.lockboot.advice;

import org.jspecify.annotations.NullMarked;
