/**
 * A Redis for those who have none.
 */
@NullMarked
package io.github.lockboot.sample.redis;

import org.jspecify.annotations.NullMarked;
