/**
 * Tests that the README and the pages in {@code docs} agree with the code.
 */
@NullMarked
package io.github.lockboot.docs;

import org.jspecify.annotations.NullMarked;
