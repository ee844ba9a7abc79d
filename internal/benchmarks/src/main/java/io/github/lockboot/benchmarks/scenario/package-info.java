/**
 * The scenarios: each runs workers and compares their measurements with requirements.
 */
@NullMarked
package io.github.lockboot.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
