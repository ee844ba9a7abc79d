/**
 * The cache as a {@code CacheManager} of Spring's cache abstraction.
 */
@NullMarked
package io.github.lockboot.cache.spring;

import org.jspecify.annotations.NullMarked;
