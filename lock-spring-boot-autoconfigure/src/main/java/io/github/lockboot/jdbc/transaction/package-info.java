/**
 * Locks and fences in the database of a transaction.
 */
@NullMarked
package io.github.lockboot.jdbc.transaction;

import org.jspecify.annotations.NullMarked;
