/**
 * Locks in the database of a transaction, and what they have in common with it.
 */
@NullMarked
package io.github.lockboot.jdbc.transaction;

import org.jspecify.annotations.NullMarked;
