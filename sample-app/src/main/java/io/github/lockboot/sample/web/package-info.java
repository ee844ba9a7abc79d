/**
 * Common parts of the HTTP interfaces of the sample.
 */
@NullMarked
package io.github.lockboot.sample.web;

import org.jspecify.annotations.NullMarked;
