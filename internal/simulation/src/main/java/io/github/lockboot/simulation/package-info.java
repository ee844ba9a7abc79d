/**
 * A world in one thread: several JVMs with the real engine and the real store for Redis,
 * a network, and servers that run the shipped scripts. A seed decides all that happens.
 */
@NullMarked
package io.github.lockboot.simulation;

import org.jspecify.annotations.NullMarked;
