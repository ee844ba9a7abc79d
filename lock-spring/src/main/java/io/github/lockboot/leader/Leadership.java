package io.github.lockboot.leader;

import java.time.Instant;

/**
 * The time during which one instance leads a role, from its election on.
 *
 * @param role the role
 * @param fencingToken the token of this leadership, which is greater than that of each
 * earlier leader of the role, as that of a {@link io.github.lockboot.LockHandle} is
 * @param since when the instance was elected, by its own clock
 * @since 1.0.0
 */
public record Leadership(String role, long fencingToken, Instant since) {

}
