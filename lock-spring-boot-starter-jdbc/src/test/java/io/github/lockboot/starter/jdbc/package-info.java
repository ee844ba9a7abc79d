/**
 * An application that has a database and no Redis.
 */
@NullMarked
package io.github.lockboot.starter.jdbc;

import org.jspecify.annotations.NullMarked;
