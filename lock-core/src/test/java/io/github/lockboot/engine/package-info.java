@NullMarked
package io.github.lockboot.engine;

import org.jspecify.annotations.NullMarked;
