@NullMarked
package io.github.lockboot.cache.protocol;

import org.jspecify.annotations.NullMarked;
