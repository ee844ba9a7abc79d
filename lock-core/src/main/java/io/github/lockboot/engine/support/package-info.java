/**
 * What the engine builds on the port to a store: releases that are repeated until they
 * are confirmed, who holds a lock, and the fencing tokens of callers.
 */
@NullMarked
package io.github.lockboot.engine.support;

import org.jspecify.annotations.NullMarked;
