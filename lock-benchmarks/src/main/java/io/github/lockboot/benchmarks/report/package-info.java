/**
 * Figures, medians and the tables that they are told in.
 */
@NullMarked
package io.github.lockboot.benchmarks.report;

import org.jspecify.annotations.NullMarked;
