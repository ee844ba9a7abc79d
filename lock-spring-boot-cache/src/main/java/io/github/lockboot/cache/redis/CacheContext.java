package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.protocol.CacheKeys;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * What the reads and changes of a template share.
 *
 * @param store the entries
 * @param reads reads of single entries
 * @param keys names of the keys
 * @param clock time and timers
 * @param epochs epochs of the caches
 * @param flights callers of this JVM that miss entries
 * @param refreshes loads in the background
 * @param changes evicts and puts
 * @param transactions transactions of the callers
 * @param replyTimeout how long the replies to the commands of one step take at most
 */
record CacheContext(CacheStore store, SharedReads reads, CacheKeys keys, MonotonicClock clock, Epochs epochs,
		SingleFlights flights, Refreshes refreshes, CacheChanges changes, Transactions transactions,
		Duration replyTimeout) {

	/** How many keys are sent at once, so that all replies arrive in time. */
	static final int MAX_BATCH = 500;

	/**
	 * Waits for Redis, which is bounded by the time limits of the commands and of the
	 * first connection.
	 * @return why it failed, or {@code null}
	 */
	@Nullable Throwable await(CompletableFuture<?> reply) {
		try {
			reply.get(CacheStore.LONGEST_CONNECT.plus(this.replyTimeout).toNanos(), TimeUnit.NANOSECONDS);
			return null;
		}
		catch (ExecutionException ex) {
			return (ex.getCause() != null) ? ex.getCause() : ex;
		}
		catch (TimeoutException ex) {
			return ex;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return ex;
		}
	}

}
