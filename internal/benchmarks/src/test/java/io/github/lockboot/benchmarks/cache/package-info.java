@NullMarked
package io.github.lockboot.benchmarks.cache;

import org.jspecify.annotations.NullMarked;
