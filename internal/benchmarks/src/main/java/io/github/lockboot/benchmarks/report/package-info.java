/**
 * Figures, medians and the tables that show them.
 */
@NullMarked
package io.github.lockboot.benchmarks.report;

import org.jspecify.annotations.NullMarked;
