/**
 * The flash sale: many buyers, few pieces.
 */
@NullMarked
package io.github.lockboot.sample.sale;

import org.jspecify.annotations.NullMarked;
