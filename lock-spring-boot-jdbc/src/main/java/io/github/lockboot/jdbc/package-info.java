/**
 * Locks in relational databases.
 */
@NullMarked
package io.github.lockboot.jdbc;

import org.jspecify.annotations.NullMarked;
