/**
 * The advice of the cache's annotations: parsing, calls, and the check when an
 * application starts.
 */
@NullMarked
package io.github.lockboot.cache.aop;

import org.jspecify.annotations.NullMarked;
