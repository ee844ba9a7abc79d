/**
 * The advice of {@link io.github.lockboot.annotation.DistributedLock @DistributedLock}.
 */
@NullMarked
package io.github.lockboot.aop.lock;

import org.jspecify.annotations.NullMarked;
