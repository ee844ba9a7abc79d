@NullMarked
package io.github.lockboot.cache.codec;

import org.jspecify.annotations.NullMarked;
