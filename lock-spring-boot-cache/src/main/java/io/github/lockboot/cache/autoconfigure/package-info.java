/**
 * Auto-configuration of the cache: its properties, beans and failure messages.
 */
@NullMarked
package io.github.lockboot.cache.autoconfigure;

import org.jspecify.annotations.NullMarked;
