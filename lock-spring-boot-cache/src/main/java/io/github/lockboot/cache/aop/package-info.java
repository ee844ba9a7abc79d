/**
 * What makes the annotations of the cache work: their parsing, the advice and the check
 * when an application starts.
 */
@NullMarked
package io.github.lockboot.cache.aop;

import org.jspecify.annotations.NullMarked;
