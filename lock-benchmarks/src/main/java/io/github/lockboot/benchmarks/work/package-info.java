/**
 * What a worker, a JVM of its own, does with its peer and measures.
 */
@NullMarked
package io.github.lockboot.benchmarks.work;

import org.jspecify.annotations.NullMarked;
