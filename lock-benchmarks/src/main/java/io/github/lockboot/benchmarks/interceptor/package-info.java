/**
 * What the annotation costs over a direct call.
 */
@NullMarked
package io.github.lockboot.benchmarks.interceptor;

import org.jspecify.annotations.NullMarked;
