/**
 * Locks on Redis: the template for applications, its store and the Lua scripts of the
 * store.
 */
@NullMarked
package io.github.lockboot.redis;

import org.jspecify.annotations.NullMarked;
