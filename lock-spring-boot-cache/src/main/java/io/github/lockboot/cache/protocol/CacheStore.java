package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * Stores the entries of the cache. Every call sends one command before it returns; its
 * reply fails within a bounded time if the store does not reply. Replies are completed on
 * a thread that must not be blocked. Thread-safe.
 */
@Internal
public interface CacheStore extends AutoCloseable {

	/** How much longer the first replies may take, while the store connects. */
	Duration LONGEST_CONNECT = Duration.ofSeconds(5);

	/** Connect in the background, unless that was tried before. */
	void connect();

	/** Set the receiver of pushes. Called once, before anything else. */
	void listen(CachePushes pushes);

	/** Read an entry, or {@code null} if there is none. */
	CompletableFuture<byte @Nullable []> read(EntryKeys keys);

	/**
	 * Read entries, with one command for all entries of one server. A server that does
	 * not reply delays only its own entries.
	 * @param several their keys, at least one
	 * @return a reply for each entry, in the same order
	 */
	List<CompletableFuture<byte @Nullable []>> readAll(List<EntryKeys> several);

	/** Get an entry, or the right to load it. */
	CompletableFuture<AcquireReply> acquire(EntryKeys keys, Acquisition wanted);

	/**
	 * Store an entry that was loaded under a lease, and release the lease.
	 * @return whether it was stored; not if the entry was evicted during the load
	 */
	CompletableFuture<Boolean> store(EntryKeys keys, String attempt, byte[] entry, long lifeMillis);

	/**
	 * Release a lease without an entry.
	 * @param pauseMillis how long no JVM may load the entry if no caller waits for it
	 * @return whether the lease was still held
	 */
	CompletableFuture<Boolean> abandon(EntryKeys keys, String attempt, long pauseMillis);

	/** Extend a lease, and return whether it was still held. */
	CompletableFuture<Boolean> renew(EntryKeys keys, String attempt, long leaseMillis);

	/**
	 * Delete an entry, and reject loads of it that began before.
	 * @param graceMillis longest life of entries that are loaded during this time
	 * @return whether there was an entry
	 */
	CompletableFuture<Boolean> evict(String cache, EntryKeys keys, long graceMillis);

	/**
	 * Store an entry, and reject loads of it that began before. While a cluster moves the
	 * slot, or the store is full, the entry is evicted instead.
	 * @param entry the entry; an empty one is not stored, and evicts
	 * @param version if not {@code null}, nothing happens while there is an entry with
	 * the same or a higher version
	 * @return whether it was stored
	 */
	CompletableFuture<Boolean> put(String cache, EntryKeys keys, byte[] entry, long lifeMillis, @Nullable Long version);

	/**
	 * Return the epoch of a cache.
	 * @param seen the highest epoch known, 0 for none; the result is not below it
	 */
	CompletableFuture<Long> epoch(String cache, long seen);

	/**
	 * Begin a new epoch of a cache, and return it.
	 * @param seen the highest epoch known, 0 for none; the result is above it
	 */
	CompletableFuture<Long> clear(String cache, long seen);

	/**
	 * Subscribe to the changes of a cache, and return whether it was subscribed before.
	 */
	boolean follow(String cache);

	/**
	 * Return whether a failure is an error reply other than that the store loads its data
	 * or is busy, so that it works and may run commands of other callers meanwhile.
	 */
	boolean isAnswer(Throwable failure);

	/** Return the estimated time of the store. */
	RedisTime time();

	/** Return the clock of this JVM, which is closed with the store. */
	MonotonicClock clock();

	@Override
	void close();

	/**
	 * A request for an entry or for the right to load it.
	 *
	 * @param attempt random text that identifies this attempt, and its lease
	 * @param rejected beginning of an entry that the caller can't use, empty if there is
	 * none
	 * @param waits whether to notify the caller when the load of another ends
	 * @param seenMicros Redis time since when the caller has seen no change of the data,
	 * or {@code null} if it sees all changes
	 */
	@SuppressWarnings("ArrayRecordComponent")
	record Acquisition(String attempt, long leaseMillis, byte[] rejected, boolean waits, @Nullable Long seenMicros) {

	}

	/**
	 * Reply to a request for an entry or for the right to load it.
	 */
	sealed interface AcquireReply {

		/** The entry exists. */
		@SuppressWarnings("ArrayRecordComponent")
		record Present(byte[] entry) implements AcquireReply {
		}

		/**
		 * The caller holds the lease and loads the entry.
		 *
		 * @param graceMillis longest life of the entry, 0 for no limit
		 */
		record Leased(long graceMillis) implements AcquireReply {
		}

		/**
		 * Another caller loads the entry.
		 *
		 * @param remainingMillis when its lease expires unless it is renewed
		 * @param pushed whether Redis notifies this JVM of the end of the load
		 */
		record Taken(long remainingMillis, boolean pushed) implements AcquireReply {
		}

		/**
		 * The caller may read data from before a change, so its load must not be stored.
		 */
		record Outdated() implements AcquireReply {
		}

	}

}
