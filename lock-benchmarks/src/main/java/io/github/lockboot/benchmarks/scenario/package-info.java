/**
 * The scenarios: each sets workers to work and judges what they measured.
 */
@NullMarked
package io.github.lockboot.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
