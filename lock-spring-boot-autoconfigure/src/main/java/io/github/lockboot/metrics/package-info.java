/**
 * Reports locks to Micrometer, as meters and as observations, from which tracers create
 * spans.
 */
@NullMarked
package io.github.lockboot.metrics;

import org.jspecify.annotations.NullMarked;
