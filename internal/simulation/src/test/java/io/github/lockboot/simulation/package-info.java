@NullMarked
package io.github.lockboot.simulation;

import org.jspecify.annotations.NullMarked;
