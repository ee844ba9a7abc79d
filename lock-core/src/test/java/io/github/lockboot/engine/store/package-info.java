@NullMarked
package io.github.lockboot.engine.store;

import org.jspecify.annotations.NullMarked;
