/**
 * An application on each supported version of Spring Boot.
 */
@NullMarked
package io.github.lockboot.lines;

import org.jspecify.annotations.NullMarked;
