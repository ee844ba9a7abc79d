/**
 * What all HTTP interfaces of the sample share.
 */
@NullMarked
package io.github.lockboot.sample.web;

import org.jspecify.annotations.NullMarked;
