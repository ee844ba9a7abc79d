/**
 * Tests of the reports.
 */
@NullMarked
package io.github.lockboot.sample.sale;

import org.jspecify.annotations.NullMarked;
