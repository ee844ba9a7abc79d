/**
 * The work of a worker, which is a separate JVM, with its peer.
 */
@NullMarked
package io.github.lockboot.benchmarks.work;

import org.jspecify.annotations.NullMarked;
