/**
 * Responses of web applications to callers whose lock failed.
 */
@NullMarked
package io.github.lockboot.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
