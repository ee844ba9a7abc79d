@NullMarked
package io.github.lockboot.autoconfigure.zookeeper;

import org.jspecify.annotations.NullMarked;
