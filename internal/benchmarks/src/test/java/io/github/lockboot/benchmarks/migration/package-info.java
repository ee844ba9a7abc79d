@org.jspecify.annotations.NullMarked
package io.github.lockboot.benchmarks.migration;
