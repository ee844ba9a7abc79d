/**
 * Checks of fencing tokens in a database, and the fence of transactions.
 */
@NullMarked
package io.github.lockboot.fencing;

import org.jspecify.annotations.NullMarked;
