/**
 * Locks on Redis: the template that users see, the store behind it and its Lua scripts.
 */
@NullMarked
package io.github.lockboot.redis;

import org.jspecify.annotations.NullMarked;
