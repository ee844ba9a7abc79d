@NullMarked
package io.github.lockboot.cache.aspect;

import org.jspecify.annotations.NullMarked;
