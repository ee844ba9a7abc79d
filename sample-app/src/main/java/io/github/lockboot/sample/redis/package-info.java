/**
 * A Redis for users without one.
 */
@NullMarked
package io.github.lockboot.sample.redis;

import org.jspecify.annotations.NullMarked;
