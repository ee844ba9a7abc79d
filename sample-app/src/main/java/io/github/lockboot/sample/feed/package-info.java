/**
 * What happens in this instance, as server-sent events.
 */
@NullMarked
package io.github.lockboot.sample.feed;

import org.jspecify.annotations.NullMarked;
