/**
 * The scenarios of locks in ZooKeeper.
 */
@NullMarked
package io.github.lockboot.benchmarks.scenario.zookeeper;

import org.jspecify.annotations.NullMarked;
