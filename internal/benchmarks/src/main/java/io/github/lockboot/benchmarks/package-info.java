/**
 * Benchmarks of the library and of its peers.
 */
@NullMarked
package io.github.lockboot.benchmarks;

import org.jspecify.annotations.NullMarked;
