/**
 * The scenarios of locks in a database.
 */
@NullMarked
package io.github.lockboot.benchmarks.scenario.database;

import org.jspecify.annotations.NullMarked;
