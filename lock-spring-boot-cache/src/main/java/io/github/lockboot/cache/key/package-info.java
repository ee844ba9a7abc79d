/**
 * The keys of callers as texts, which are the same in every JVM.
 */
@NullMarked
package io.github.lockboot.cache.key;

import org.jspecify.annotations.NullMarked;
