@NullMarked
package io.github.lockboot.benchmarks.work;

import org.jspecify.annotations.NullMarked;
