@NullMarked
package io.github.lockboot.simulation.exhaustive;

import org.jspecify.annotations.NullMarked;
