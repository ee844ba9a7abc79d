@NullMarked
package io.github.lockboot.redis;

import org.jspecify.annotations.NullMarked;
