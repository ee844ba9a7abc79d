/**
 * A first look for annotations: at the types, at the beans of an application, and at what
 * keeps their calls from an advice.
 */
@NullMarked
package io.github.lockboot.scan;

import org.jspecify.annotations.NullMarked;
