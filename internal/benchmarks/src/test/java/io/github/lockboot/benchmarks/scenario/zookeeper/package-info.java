@NullMarked
package io.github.lockboot.benchmarks.scenario.zookeeper;

import org.jspecify.annotations.NullMarked;
