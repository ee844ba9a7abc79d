/**
 * What a library adds to the size and to the start of an application.
 */
@NullMarked
package io.github.lockboot.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
