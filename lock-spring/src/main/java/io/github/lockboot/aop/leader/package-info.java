/**
 * The advice of methods that only the leader of a role runs.
 */
@NullMarked
package io.github.lockboot.aop.leader;

import org.jspecify.annotations.NullMarked;
