package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.protocol.CacheKeys;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.RedisTime;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * What all calls of a template work with.
 *
 * @param store where the entries are
 * @param reads reads of single entries there
 * @param keys names of their keys
 * @param epochs epochs of the caches
 * @param flights callers of this JVM that miss entries
 * @param refreshes loads in the background
 * @param pending evictions that failed
 * @param transactions transactions of the callers
 * @param events listeners
 * @param patience how long to wait for the answers to the commands of one step at most
 */
record CacheContext(CacheStore store, SharedReads reads, CacheKeys keys, Epochs epochs, SingleFlights flights,
		Refreshes refreshes, PendingEvictions pending, Transactions transactions, CacheEvents events,
		Duration patience) {

	/** How many keys are asked for at once, so that all are answered in time. */
	static final int MOST_AT_ONCE = 500;

	RedisTime time() {
		return this.store.time();
	}

	MonotonicClock clock() {
		return this.flights.clock();
	}

	/** Return the copies of this JVM, if it is told of changes. */
	@Nullable LocalCache localOf(TypedCache cache) {
		LocalCache local = cache.local();
		return (local != null && this.store.follow(cache.name())) ? local : null;
	}

	/** Return how a caller sees the data whose transaction began then. */
	Waiter.View view(Transactions.@Nullable Begin begin, long epoch) {
		if (begin == null) {
			return Waiter.View.CURRENT;
		}
		Long nanos = begin.nanos();
		Long micros = (nanos != null) ? time().notAfter(nanos) : null;
		return (micros != null) ? new Waiter.View(micros, micros <= epoch) : new Waiter.View(0L, true);
	}

	/**
	 * Wait for Redis, which is bounded by the time limits of its commands and of the
	 * first connection.
	 * @return why it failed, or {@code null}
	 */
	@Nullable Throwable await(CompletableFuture<?> reply) {
		try {
			reply.get(CacheStore.LONGEST_CONNECT.plus(this.patience).toNanos(), TimeUnit.NANOSECONDS);
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
