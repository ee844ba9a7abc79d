@NullMarked
package io.github.lockboot.simulation.server;

import org.jspecify.annotations.NullMarked;
