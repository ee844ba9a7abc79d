/**
 * An application that has ZooKeeper, and neither Redis nor a database.
 */
@NullMarked
package io.github.lockboot.starter.zookeeper;

import org.jspecify.annotations.NullMarked;
