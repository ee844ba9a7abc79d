@NullMarked
package io.github.lockboot.metrics;

import org.jspecify.annotations.NullMarked;
