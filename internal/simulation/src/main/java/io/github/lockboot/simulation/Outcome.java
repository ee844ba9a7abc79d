package io.github.lockboot.simulation;

import org.jspecify.annotations.Nullable;

/**
 * What came of a history.
 *
 * @param hash of all that happened
 * @param violation the rule that was broken, if any
 * @param commands how many reached the servers
 * @param scripts how many of these were scripts
 * @param sections how many callers got their locks
 */
record Outcome(long hash, @Nullable String violation, long commands, long scripts, long sections, String story) {

}
