/**
 * The cost of the annotation over a direct call, measured with JMH.
 */
@NullMarked
package io.github.lockboot.benchmarks.interceptor;

import org.jspecify.annotations.NullMarked;
