/**
 * A search through the orders in which the calls of a few owners can reach a server,
 * including faults. The scripts are the shipped ones; what an owner does with replies and
 * messages is a short model of the engine ({@code Steps}).
 */
@NullMarked
package io.github.lockboot.simulation.exhaustive;

import org.jspecify.annotations.NullMarked;
