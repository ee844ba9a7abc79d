@NullMarked
package io.github.lockboot.benchmarks.starter;

import org.jspecify.annotations.NullMarked;
