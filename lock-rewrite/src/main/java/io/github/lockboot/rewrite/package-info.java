/**
 * OpenRewrite recipes that move a program from another lock library to this one.
 */
@NullMarked
package io.github.lockboot.rewrite;

import org.jspecify.annotations.NullMarked;
