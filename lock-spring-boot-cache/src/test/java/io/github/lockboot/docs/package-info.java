/**
 * What the README and the pages in {@code docs} say is true of the code.
 */
@NullMarked
package io.github.lockboot.docs;

import org.jspecify.annotations.NullMarked;
