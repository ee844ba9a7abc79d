@NullMarked
package io.github.lockboot.redis.quorum;

import org.jspecify.annotations.NullMarked;
