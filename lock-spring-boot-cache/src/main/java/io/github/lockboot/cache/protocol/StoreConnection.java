package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.lettuce.core.RedisException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.DaemonThreads;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.redis.connection.RedisConnection;
import io.github.lockboot.redis.connection.Subscription;

/**
 * Connects in the background, so that the start of an application does not wait for a
 * Redis that is down. Calls wait for the first attempt, for a limited time, since a
 * connect takes longer than a reply. If the attempt fails, a call after the pause starts
 * another one, for which no caller waits. Once connected, Lettuce reconnects.
 */
final class StoreConnection implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(StoreConnection.class);

	private final ReentrantLock mutex = new ReentrantLock();

	private final Supplier<Connections> connector;

	private final MonotonicClock clock;

	private final long pauseNanos;

	private final Consumer<Boolean> onReached;

	/** The result of the first attempt, for calls before Redis was ever reached. */
	private final CompletableFuture<Connections> first = new CompletableFuture<>();

	private volatile @Nullable CompletableFuture<Connections> connecting;

	private long lastAttemptNanos;

	private boolean warned;

	private boolean closed;

	/**
	 * Create an instance, without connecting.
	 * @param onReached called with false when the first attempt fails, and with true when
	 * a later one succeeds
	 */
	StoreConnection(Supplier<Connections> connector, MonotonicClock clock, Duration pause,
			Consumer<Boolean> onReached) {
		this.connector = connector;
		this.clock = clock;
		this.pauseNanos = pause.toNanos();
		this.onReached = onReached;
	}

	/** Return the connections, and connect if there are none. */
	CompletableFuture<Connections> connect() {
		Connections current = current();
		return (current != null) ? CompletableFuture.completedFuture(current) : tryToConnect();
	}

	/** Return the connections if there are any. */
	@Nullable Connections current() {
		CompletableFuture<Connections> known = this.connecting;
		return (known != null && known.isDone() && !known.isCompletedExceptionally()) ? known.join() : null;
	}

	private CompletableFuture<Connections> tryToConnect() {
		this.mutex.lock();
		try {
			if (this.closed) {
				return CompletableFuture.failedFuture(new IllegalStateException("The cache is closed"));
			}
			CompletableFuture<Connections> known = this.connecting;
			boolean failed = known != null && known.isCompletedExceptionally();
			if (known == null || (failed && this.clock.nanoTime() - this.lastAttemptNanos > this.pauseNanos)) {
				if (known == null) {
					this.clock.schedule(CacheStore.LONGEST_CONNECT, () -> this.first
						.completeExceptionally(new RedisException("Redis has not been connected to yet")));
				}
				this.lastAttemptNanos = this.clock.nanoTime();
				known = CompletableFuture.supplyAsync(this.connector, new DaemonThreads("cache-connect"));
				known.whenComplete(this::connected);
				this.connecting = known;
			}
			return this.first;
		}
		finally {
			this.mutex.unlock();
		}
	}

	private void connected(@Nullable Connections made, @Nullable Throwable failure) {
		report(made, failure);
		if (made != null) {
			this.first.complete(made);
		}
		else if (failure != null) {
			this.first.completeExceptionally(failure);
		}
	}

	private void report(@Nullable Connections made, @Nullable Throwable failure) {
		this.mutex.lock();
		try {
			if (made != null && this.closed) {
				made.close();
			}
			else if (failure != null && !this.warned) {
				this.warned = true;
				logger.warn("The Redis of the cache can't be reached; methods run uncached until it can: "
						+ failure.getMessage());
				this.onReached.accept(false);
			}
			else if (made != null && this.warned) {
				this.onReached.accept(true);
			}
		}
		finally {
			this.mutex.unlock();
		}
	}

	@Override
	public void close() {
		this.mutex.lock();
		try {
			this.closed = true;
			this.first.completeExceptionally(new IllegalStateException("The cache is closed"));
			Connections current = current();
			if (current != null) {
				current.close();
			}
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** The connections to Redis. */
	record Connections(RedisConnection<byte[]> redis, Subscription subscription) implements AutoCloseable {

		@Override
		public void close() {
			this.subscription.close();
			this.redis.close();
		}

	}

}
