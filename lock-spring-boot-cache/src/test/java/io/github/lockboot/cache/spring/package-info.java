@NullMarked
package io.github.lockboot.cache.spring;

import org.jspecify.annotations.NullMarked;
