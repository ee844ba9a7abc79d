package io.github.lockboot.cache.protocol;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * How an entry is asked for.
 *
 * @param attempt random text that names this attempt, and the lease if it is had
 * @param leaseMillis how long the lease lasts without a renewal
 * @param rejected beginning of an entry that can't be used, empty if there is none
 * @param waits whether to be woken when another's load ends
 * @param seenMicros Redis time since which the caller has seen no change of the data, or
 * {@code null} if it sees all of them
 * @since 1.0.0
 */
@Internal
@SuppressWarnings("ArrayRecordComponent")
public record Acquisition(String attempt, long leaseMillis, byte[] rejected, boolean waits, @Nullable Long seenMicros) {

}
