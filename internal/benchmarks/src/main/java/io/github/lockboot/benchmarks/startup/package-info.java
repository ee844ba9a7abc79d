/**
 * The size and start-up time that a library adds to an application.
 */
@NullMarked
package io.github.lockboot.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
