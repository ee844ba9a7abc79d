/**
 * The instances that run at present, and work shared out among them.
 */
@NullMarked
package io.github.lockboot.sample.cluster;

import org.jspecify.annotations.NullMarked;
