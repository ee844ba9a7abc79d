/**
 * Auto-configuration for locks in a relational database.
 */
@NullMarked
package io.github.lockboot.autoconfigure.jdbc;

import org.jspecify.annotations.NullMarked;
