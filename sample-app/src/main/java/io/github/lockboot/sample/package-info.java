/**
 * An application that uses the lock starter as a user would: a flash sale and a stampede,
 * run by several instances at once.
 */
@NullMarked
package io.github.lockboot.sample;

import org.jspecify.annotations.NullMarked;
