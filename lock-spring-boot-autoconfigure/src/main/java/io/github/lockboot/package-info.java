/**
 * The API: what a user of the locks writes in code.
 */
@NullMarked
package io.github.lockboot;

import org.jspecify.annotations.NullMarked;
