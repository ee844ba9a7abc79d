/**
 * Auto-configuration for locks in ZooKeeper.
 */
@NullMarked
package io.github.lockboot.autoconfigure.zookeeper;

import org.jspecify.annotations.NullMarked;
