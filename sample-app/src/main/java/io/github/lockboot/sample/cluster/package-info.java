/**
 * The running instances, and the distribution of work among them.
 */
@NullMarked
package io.github.lockboot.sample.cluster;

import org.jspecify.annotations.NullMarked;
