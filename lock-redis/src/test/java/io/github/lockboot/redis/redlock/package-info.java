@NullMarked
package io.github.lockboot.redis.redlock;

import org.jspecify.annotations.NullMarked;
