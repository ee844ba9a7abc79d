@NullMarked
package io.github.lockboot.cache.redis;

import org.jspecify.annotations.NullMarked;
