/**
 * {@link io.github.lockboot.annotation.DistributedLock @DistributedLock} and what makes
 * it work.
 */
@NullMarked
package io.github.lockboot.annotation;

import org.jspecify.annotations.NullMarked;
