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

/**
 * Connects in the background, so that the start of an application does not wait for a
 * Redis that is down. Calls wait for the first try, for a limited time: to connect to a
 * healthy Redis takes longer than its answers. If the try fails, there is another after a
 * pause, if it is used again, and nobody waits for that. Once connected, Lettuce keeps it
 * so.
 */
final class StoreConnection implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(StoreConnection.class);

	private final ReentrantLock mutex = new ReentrantLock();

	private final Supplier<Connections> connector;

	private final MonotonicClock clock;

	private final long pauseNanos;

	private final Consumer<Boolean> reached;

	/** What those get who call before Redis was ever reached. */
	private final CompletableFuture<Connections> first = new CompletableFuture<>();

	private volatile @Nullable CompletableFuture<Connections> connecting;

	private long lastTryNanos;

	private boolean warned;

	private boolean closed;

	/**
	 * Create a connection, without connecting.
	 * @param reached told that Redis was not reached, once, and that it was after that
	 */
	StoreConnection(Supplier<Connections> connector, MonotonicClock clock, Duration pause, Consumer<Boolean> reached) {
		this.connector = connector;
		this.clock = clock;
		this.pauseNanos = pause.toNanos();
		this.reached = reached;
	}

	/** Return the connections; while there are none, they are made. */
	CompletableFuture<Connections> connections() {
		Connections made = made();
		return (made != null) ? CompletableFuture.completedFuture(made) : connect();
	}

	/** Return the connections, if they are made. */
	@Nullable Connections made() {
		CompletableFuture<Connections> known = this.connecting;
		return (known != null && known.isDone() && !known.isCompletedExceptionally()) ? known.join() : null;
	}

	private CompletableFuture<Connections> connect() {
		this.mutex.lock();
		try {
			if (this.closed) {
				return CompletableFuture.failedFuture(new IllegalStateException("The cache is closed"));
			}
			CompletableFuture<Connections> known = this.connecting;
			boolean dead = known != null && known.isCompletedExceptionally();
			if (known == null || (dead && this.clock.nanoTime() - this.lastTryNanos > this.pauseNanos)) {
				if (known == null) {
					this.clock.schedule(CacheStore.LONGEST_CONNECT, () -> this.first
						.completeExceptionally(new RedisException("Redis has not been connected to yet")));
				}
				this.lastTryNanos = this.clock.nanoTime();
				known = CompletableFuture.supplyAsync(this.connector, new DaemonThreads("cache-connect"));
				known.whenComplete((made, failure) -> connected(made, failure));
				this.connecting = known;
			}
			return this.first;
		}
		finally {
			this.mutex.unlock();
		}
	}

	private void connected(@Nullable Connections made, @Nullable Throwable failure) {
		note(made, failure);
		if (made != null) {
			this.first.complete(made);
		}
		else if (failure != null) {
			this.first.completeExceptionally(failure);
		}
	}

	private void note(@Nullable Connections made, @Nullable Throwable failure) {
		this.mutex.lock();
		try {
			if (made != null && this.closed) {
				made.close();
			}
			else if (failure != null && !this.warned) {
				this.warned = true;
				logger.warn("The Redis of the cache can't be reached; methods run uncached until it can: "
						+ failure.getMessage());
				this.reached.accept(false);
			}
			else if (made != null && this.warned) {
				this.reached.accept(true);
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
			Connections made = made();
			if (made != null) {
				made.close();
			}
		}
		finally {
			this.mutex.unlock();
		}
	}

}
