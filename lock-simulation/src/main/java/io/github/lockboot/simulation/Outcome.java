package io.github.lockboot.simulation;

import org.jspecify.annotations.Nullable;

/**
 * What came of a history.
 *
 * @param hash of all that happened
 * @param violation the rule that was broken, if any
 * @param commands how many reached the servers
 */
record Outcome(long hash, @Nullable String violation, long commands, String story) {

}
