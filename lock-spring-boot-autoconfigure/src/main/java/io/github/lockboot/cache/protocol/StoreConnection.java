package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.DaemonThreads;

/**
 * Connects at the first use and in the background, so that neither the start of an
 * application nor a call of a cached method waits for a Redis that is down. Tries again
 * after a pause, if it is used again. Once connected, Lettuce keeps it so.
 */
final class StoreConnection implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(StoreConnection.class);

	private final ReentrantLock mutex = new ReentrantLock();

	private final Supplier<Link> connector;

	private final CacheClock clock;

	private final long pauseNanos;

	private volatile @Nullable CompletableFuture<Link> link;

	private long lastTryNanos;

	private boolean warned;

	private boolean closed;

	StoreConnection(Supplier<Link> connector, CacheClock clock, Duration pause) {
		this.connector = connector;
		this.clock = clock;
		this.pauseNanos = pause.toNanos();
	}

	CompletableFuture<Link> link() {
		CompletableFuture<Link> known = this.link;
		return (known != null && !known.isCompletedExceptionally()) ? known : connect();
	}

	/** Return the connections, if they are made. */
	@Nullable Link made() {
		CompletableFuture<Link> known = this.link;
		return (known != null && known.isDone() && !known.isCompletedExceptionally()) ? known.join() : null;
	}

	private CompletableFuture<Link> connect() {
		this.mutex.lock();
		try {
			if (this.closed) {
				return CompletableFuture.failedFuture(new IllegalStateException("The cache is closed"));
			}
			CompletableFuture<Link> known = this.link;
			boolean dead = known != null && known.isCompletedExceptionally();
			if (known == null || (dead && this.clock.nanoTime() - this.lastTryNanos > this.pauseNanos)) {
				this.lastTryNanos = this.clock.nanoTime();
				known = CompletableFuture.supplyAsync(this.connector, new DaemonThreads("cache-connect"));
				known.whenComplete((made, failure) -> connected(made, failure));
				this.link = known;
			}
			return known;
		}
		finally {
			this.mutex.unlock();
		}
	}

	private void connected(@Nullable Link made, @Nullable Throwable failure) {
		this.mutex.lock();
		try {
			if (made != null && this.closed) {
				made.close();
			}
			else if (failure != null && !this.warned) {
				this.warned = true;
				logger.warn("The Redis of the cache can't be reached; methods run uncached until it can: "
						+ failure.getMessage());
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
			Link made = made();
			if (made != null) {
				made.close();
			}
		}
		finally {
			this.mutex.unlock();
		}
	}

}
