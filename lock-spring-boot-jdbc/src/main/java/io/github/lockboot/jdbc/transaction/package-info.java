/**
 * Locks in the database of a transaction, and the check of locks at its commit.
 */
@NullMarked
package io.github.lockboot.jdbc.transaction;

import org.jspecify.annotations.NullMarked;
