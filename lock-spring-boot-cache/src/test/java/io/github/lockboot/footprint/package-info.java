/**
 * Tests which classes of the cache an application without a cache loads.
 */
@NullMarked
package io.github.lockboot.footprint;

import org.jspecify.annotations.NullMarked;
