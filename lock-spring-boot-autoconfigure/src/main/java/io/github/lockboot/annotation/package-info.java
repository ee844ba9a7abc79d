/**
 * {@link io.github.lockboot.annotation.DistributedLock @DistributedLock} and related
 * types for users.
 */
@NullMarked
package io.github.lockboot.annotation;

import org.jspecify.annotations.NullMarked;
