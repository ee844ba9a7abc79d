/**
 * The lock of a migration by Liquibase, with a lease.
 */
@NullMarked
package io.github.lockboot.jdbc.liquibase;

import org.jspecify.annotations.NullMarked;
