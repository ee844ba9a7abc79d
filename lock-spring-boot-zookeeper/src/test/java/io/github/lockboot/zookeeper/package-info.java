@NullMarked
package io.github.lockboot.zookeeper;

import org.jspecify.annotations.NullMarked;
