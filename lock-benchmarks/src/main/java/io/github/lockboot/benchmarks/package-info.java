/**
 * Benchmarks of the library beside its peers.
 */
@NullMarked
package io.github.lockboot.benchmarks;

import org.jspecify.annotations.NullMarked;
