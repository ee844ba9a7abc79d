/**
 * How the cache lives in Redis: its keys, its entries, its scripts and what they answer
 * and publish. Knows neither methods nor values.
 */
@NullMarked
package io.github.lockboot.cache.protocol;

import org.jspecify.annotations.NullMarked;
