/**
 * Money transfers, each locked on both of its accounts.
 */
@NullMarked
package io.github.lockboot.sample.transfer;

import org.jspecify.annotations.NullMarked;
