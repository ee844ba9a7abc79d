package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * Where entries are kept, as the cache needs it. Every call sends one command before it
 * returns, and its reply fails within a bounded time if there is no answer. Replies are
 * completed on a thread that must not be blocked. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public interface CacheStore extends AutoCloseable {

	/** How long the first replies may come later, since a connection is made before. */
	Duration LONGEST_CONNECT = Duration.ofSeconds(5);

	/**
	 * Connect in the background, if that was not tried yet.
	 */
	void connect();

	/**
	 * Tell who gets what the store pushes. Called once, before all else.
	 * @param pushes who is told
	 */
	void listen(CachePushes pushes);

	/**
	 * Read an entry.
	 * @param keys its keys
	 * @return its bytes, or {@code null}
	 */
	CompletableFuture<byte @Nullable []> read(EntryKeys keys);

	/**
	 * Read entries, with one command for those that are kept together. A server that does
	 * not answer delays those that it has.
	 * @param several their keys, at least one
	 * @return a reply for each of them, in the same order
	 */
	List<CompletableFuture<byte @Nullable []>> readAll(List<EntryKeys> several);

	/**
	 * Get an entry, or the right to load it.
	 * @param keys its keys
	 * @param wanted how
	 * @return which of them
	 */
	CompletableFuture<AcquireReply> acquire(EntryKeys keys, Acquisition wanted);

	/**
	 * Store what was loaded under a lease, and give the lease back.
	 * @param keys keys of the entry
	 * @param attempt the attempt that has the lease
	 * @param entry the entry
	 * @param lifeMillis how long it lives
	 * @return whether it was stored: not if it was evicted meanwhile
	 */
	CompletableFuture<Boolean> store(EntryKeys keys, String attempt, byte[] entry, long lifeMillis);

	/**
	 * Give a lease back without an entry.
	 * @param keys keys of the entry
	 * @param attempt the attempt that has the lease
	 * @param pauseMillis how long nobody is to load the entry, in any JVM, if nobody
	 * waits for it
	 * @return whether the lease still stood
	 */
	CompletableFuture<Boolean> abandon(EntryKeys keys, String attempt, long pauseMillis);

	/**
	 * Extend a lease.
	 * @param keys keys of the entry
	 * @param attempt the attempt that has the lease
	 * @param leaseMillis for how long
	 * @return whether the lease still stood
	 */
	CompletableFuture<Boolean> renew(EntryKeys keys, String attempt, long leaseMillis);

	/**
	 * Delete an entry, and refuse loads of it that began before.
	 * @param graceMillis how long entries that are loaded during that time live at most
	 * @return whether there was an entry
	 */
	CompletableFuture<Boolean> evict(String cache, EntryKeys keys, long graceMillis);

	/**
	 * Store an entry, and refuse loads of it that began before. While a cluster moves its
	 * slot, or the store is full, it is evicted instead.
	 * @param entry the entry; an empty one is not stored, and evicts
	 * @return whether it was stored
	 */
	CompletableFuture<Boolean> put(String cache, EntryKeys keys, byte[] entry, long lifeMillis);

	/**
	 * The same, unless an entry with the same or a higher version was put. The version is
	 * remembered as long as the entry lives, or would live.
	 */
	CompletableFuture<Boolean> putIfNewer(String cache, EntryKeys keys, long version, byte[] entry, long lifeMillis);

	/**
	 * Return the epoch of a cache.
	 * @param seen the highest epoch known, 0 for none; the answer is not below it
	 */
	CompletableFuture<Long> epoch(String cache, long seen);

	/**
	 * Begin a new epoch of a cache, and return it.
	 * @param seen the highest epoch known, 0 for none; the answer is above it
	 */
	CompletableFuture<Long> clear(String cache, long seen);

	/** Subscribe to changes of a cache; whether that is done already. */
	boolean follow(String cache);

	/** Whether a call failed although the store works: it may obey others meanwhile. */
	default boolean isAnswer(Throwable failure) {
		return false;
	}

	/**
	 * Return what is known of the store's time.
	 * @return the time
	 */
	RedisTime time();

	@Override
	void close();

}
