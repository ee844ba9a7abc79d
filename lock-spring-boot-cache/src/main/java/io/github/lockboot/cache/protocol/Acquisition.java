package io.github.lockboot.cache.protocol;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * A request for an entry or for the right to load it.
 *
 * @param attempt random text that identifies this attempt, and its lease
 * @param leaseMillis how long the lease lasts without a renewal
 * @param rejected beginning of an entry that the caller can't use, empty if there is none
 * @param waits whether to notify the caller when the load of another ends
 * @param seenMicros Redis time since when the caller has seen no change of the data, or
 * {@code null} if it sees all changes
 * @since 1.0.0
 */
@Internal
@SuppressWarnings("ArrayRecordComponent")
public record Acquisition(String attempt, long leaseMillis, byte[] rejected, boolean waits, @Nullable Long seenMicros) {

}
