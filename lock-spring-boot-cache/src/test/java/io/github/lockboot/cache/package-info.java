@NullMarked
package io.github.lockboot.cache;

import org.jspecify.annotations.NullMarked;
