/**
 * {@link io.github.lockboot.annotation.DistributedLock @DistributedLock} and the related
 * types that applications use.
 */
@NullMarked
package io.github.lockboot.annotation;

import org.jspecify.annotations.NullMarked;
