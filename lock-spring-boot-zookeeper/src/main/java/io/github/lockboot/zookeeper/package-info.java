/**
 * Locks in ZooKeeper.
 */
@NullMarked
package io.github.lockboot.zookeeper;

import org.jspecify.annotations.NullMarked;
