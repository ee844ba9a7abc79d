package io.github.lockboot.redis.redlock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.AbandonedAttempts;
import io.github.lockboot.engine.store.LockOwner;
import io.github.lockboot.engine.store.LockStore;

/**
 * One of the servers. One that is down when the application starts is tried again each
 * second, one that is a member already less often; the others do without it. Thread-safe.
 */
final class RedlockMember implements AutoCloseable {

	/** Its server answers, so that each try costs it a connection. */
	private static final long DUPLICATE_PAUSE_SECONDS = 10;

	private static final Log logger = LogFactory.getLog(RedlockMember.class);

	private final String name;

	private final Supplier<LockStore> connector;

	private final MonotonicClock clock;

	private final ScheduledExecutorService executor;

	private final CompletableFuture<Boolean> firstTry = new CompletableFuture<>();

	private final ReentrantLock mutex = new ReentrantLock();

	private volatile Throwable lastFailure = new IllegalStateException("not tried yet");

	private volatile @Nullable LockStore store;

	private volatile @Nullable AbandonedAttempts abandoned;

	private volatile boolean closed;

	/**
	 * Create a member and connect in the background.
	 * @param name how failures call it
	 * @param connector connects, and may block
	 * @param clock time and timers
	 * @param executor where it connects
	 */
	RedlockMember(String name, Supplier<LockStore> connector, MonotonicClock clock, ScheduledExecutorService executor) {
		this.name = name;
		this.connector = connector;
		this.clock = clock;
		this.executor = executor;
		executor.execute(this::connect);
	}

	/**
	 * Return whether the first try to connect succeeded.
	 * @return completed, never exceptionally, after it
	 */
	CompletableFuture<Boolean> firstTry() {
		return this.firstTry;
	}

	Throwable lastFailure() {
		return this.lastFailure;
	}

	/**
	 * Ask the member.
	 * @param question what to ask
	 * @param <T> type of the answer
	 * @return the answer; failed at once if there is no connection
	 */
	<T> CompletionStage<T> ask(Function<LockStore, CompletionStage<T>> question) {
		LockStore store = this.store;
		if (store == null) {
			return CompletableFuture
				.failedStage(new IllegalStateException("No connection to " + this.name, this.lastFailure));
		}
		try {
			return question.apply(store);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedStage(ex);
		}
	}

	/**
	 * Whether a failed call has certainly not taken effect.
	 */
	boolean isRefusal(Throwable failure) {
		LockStore store = this.store;
		return store == null || store.isRefusal(StageFailure.cause(failure));
	}

	/**
	 * Release a lock until the server confirms it or the lease is over.
	 */
	void abandon(LockOwner attempt, long usedToken) {
		AbandonedAttempts abandoned = this.abandoned;
		if (abandoned != null) {
			abandoned.release(attempt, usedToken, false);
		}
	}

	private void connect() {
		if (this.closed) {
			return;
		}
		try {
			keep(this.connector.get());
			if (!this.firstTry.complete(true)) {
				logger.info("The Redlock master " + this.name + " is connected now");
			}
		}
		catch (RuntimeException ex) {
			boolean known = this.lastFailure instanceof DuplicateServerException;
			this.lastFailure = ex;
			if (!this.firstTry.complete(false) && !known && ex instanceof DuplicateServerException) {
				logger.error("A master of Redlock has no vote: " + ex.getMessage() + " in lock.redis.redlock.nodes");
			}
			tryAgain((ex instanceof DuplicateServerException) ? DUPLICATE_PAUSE_SECONDS : 1);
		}
	}

	private void tryAgain(long seconds) {
		this.mutex.lock();
		try {
			if (!this.closed) {
				this.executor.schedule(this::connect, seconds, TimeUnit.SECONDS);
			}
		}
		finally {
			this.mutex.unlock();
		}
	}

	private void keep(LockStore connected) {
		this.mutex.lock();
		try {
			if (!this.closed) {
				this.abandoned = new AbandonedAttempts(connected, this.clock, () -> {
				});
				this.store = connected;
				return;
			}
		}
		finally {
			this.mutex.unlock();
		}
		connected.close();
	}

	@Override
	public void close() {
		this.mutex.lock();
		try {
			this.closed = true;
		}
		finally {
			this.mutex.unlock();
		}
		LockStore store = this.store;
		if (store != null) {
			store.close();
		}
	}

	@Override
	public String toString() {
		return this.name;
	}

}
