/**
 * The cache as Spring's cache abstraction sees it.
 */
@NullMarked
package io.github.lockboot.cache.spring;

import org.jspecify.annotations.NullMarked;
