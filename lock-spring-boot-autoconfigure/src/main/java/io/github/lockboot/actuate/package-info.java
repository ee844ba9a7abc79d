/**
 * What operators see and do: the endpoint of the locks, and their health.
 */
@NullMarked
package io.github.lockboot.actuate;

import org.jspecify.annotations.NullMarked;
