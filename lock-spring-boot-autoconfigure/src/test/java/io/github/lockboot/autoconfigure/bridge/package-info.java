@NullMarked
package io.github.lockboot.autoconfigure.bridge;

import org.jspecify.annotations.NullMarked;
