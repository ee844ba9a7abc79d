@NullMarked
package io.github.lockboot.benchmarks.report;

import org.jspecify.annotations.NullMarked;
