/**
 * {@link io.github.lockboot.annotation.DistributedLock @DistributedLock} and what else
 * users write or name.
 */
@NullMarked
package io.github.lockboot.annotation;

import org.jspecify.annotations.NullMarked;
