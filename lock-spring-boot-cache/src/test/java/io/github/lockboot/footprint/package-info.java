/**
 * What an application that uses no cache loads of it.
 */
@NullMarked
package io.github.lockboot.footprint;

import org.jspecify.annotations.NullMarked;
