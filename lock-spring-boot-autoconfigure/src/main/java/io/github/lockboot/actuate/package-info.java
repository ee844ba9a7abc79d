/**
 * Actuator endpoint and health indicator of locks.
 */
@NullMarked
package io.github.lockboot.actuate;

import org.jspecify.annotations.NullMarked;
