/**
 * Support for tests of applications that use locks: locks without Redis, another node
 * that holds them, and assertions.
 */
@NullMarked
package io.github.lockboot.test;

import org.jspecify.annotations.NullMarked;
