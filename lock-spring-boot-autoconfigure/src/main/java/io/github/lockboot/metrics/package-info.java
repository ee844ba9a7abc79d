/**
 * Tells Micrometer what happens to locks: as meters, and as observations, of which
 * tracers make spans.
 */
@NullMarked
package io.github.lockboot.metrics;

import org.jspecify.annotations.NullMarked;
