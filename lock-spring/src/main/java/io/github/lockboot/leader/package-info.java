/**
 * Election of one instance of an application as the leader of a role.
 */
@NullMarked
package io.github.lockboot.leader;

import org.jspecify.annotations.NullMarked;
