/**
 * The scenarios of locks in a database or in ZooKeeper.
 */
@NullMarked
package io.github.lockboot.benchmarks.scenario.server;

import org.jspecify.annotations.NullMarked;
