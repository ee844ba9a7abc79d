@NullMarked
package io.github.lockboot.cache.aop;

import org.jspecify.annotations.NullMarked;
