/**
 * OpenRewrite recipes that migrate a program from another lock library to this library.
 */
@NullMarked
package io.github.lockboot.rewrite;

import org.jspecify.annotations.NullMarked;
