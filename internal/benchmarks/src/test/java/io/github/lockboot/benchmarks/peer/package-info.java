@NullMarked
package io.github.lockboot.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
