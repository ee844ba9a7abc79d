/**
 * The flash sale with locks of other libraries, as their documents show them.
 */
@NullMarked
package io.github.lockboot.sample.peers;

import org.jspecify.annotations.NullMarked;
