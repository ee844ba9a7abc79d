/**
 * A first look for annotations: at the types, and at the beans of an application.
 */
@NullMarked
package io.github.lockboot.scan;

import org.jspecify.annotations.NullMarked;
