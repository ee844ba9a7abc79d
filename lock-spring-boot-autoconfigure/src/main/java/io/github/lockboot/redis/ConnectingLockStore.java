package io.github.lockboot.redis;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

import io.lettuce.core.RedisException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockState;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.concurrent.DaemonThreads;
import io.github.lockboot.engine.store.LockOwner;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.redis.connection.CommandNotSentException;

/**
 * A store for an application that starts while Redis is away: it connects in the
 * background, and until then each call fails at once. Thread-safe.
 */
final class ConnectingLockStore implements LockStore {

	private static final long FIRST_PAUSE_MILLIS = 100;

	private static final long LONGEST_PAUSE_MILLIS = 2000;

	private static final Log logger = LogFactory.getLog(ConnectingLockStore.class);

	private final String instance;

	private final Supplier<LockStore> connector;

	private final ReentrantLock mutex = new ReentrantLock();

	private final long sinceNanos = System.nanoTime();

	/** Present while Redis is tried in the background. */
	private @Nullable ScheduledExecutorService executor;

	private volatile @Nullable LockStore store;

	private volatile String problem = "not tried yet";

	private boolean closed;

	/**
	 * Create a store that connects when it is listened to.
	 * @param instance name of this JVM
	 * @param connector connects, and may block; a {@link LockUnavailableException} of it
	 * is tried again
	 */
	ConnectingLockStore(String instance, Supplier<LockStore> connector) {
		this.instance = instance;
		this.connector = connector;
	}

	@Override
	public String instance() {
		return this.instance;
	}

	/** Tries once before the application goes on. */
	@Override
	public void listen(LockPushes pushes) {
		if (!isConnected(pushes)) {
			logger.warn(this.problem
					+ "; no lock is given until Redis is reached, which is tried again (lock.redis.startup=retry)");
			this.executor = Executors.newSingleThreadScheduledExecutor(new DaemonThreads("lock-connector"));
			tryAgain(pushes, FIRST_PAUSE_MILLIS);
		}
	}

	private void tryAgain(LockPushes pushes, long pauseMillis) {
		this.mutex.lock();
		try {
			ScheduledExecutorService executor = this.executor;
			if (!this.closed && executor != null) {
				executor.schedule(() -> connect(executor, pushes, pauseMillis), pauseMillis, TimeUnit.MILLISECONDS);
			}
		}
		finally {
			this.mutex.unlock();
		}
	}

	private void connect(ScheduledExecutorService executor, LockPushes pushes, long pauseMillis) {
		String before = this.problem;
		boolean connected = false;
		try {
			connected = isConnected(pushes);
		}
		catch (RuntimeException ex) {
			this.problem = ex.toString();
		}
		if (connected) {
			executor.shutdown();
			logger.info("Redis is reached " + sinceStart() + " after the start; locks are given now");
			return;
		}
		if (!this.problem.equals(before)) {
			logger.warn(this.problem);
		}
		tryAgain(pushes, Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS));
	}

	private boolean isConnected(LockPushes pushes) {
		LockStore connected;
		try {
			connected = this.connector.get();
		}
		catch (LockUnavailableException ex) {
			boolean first = this.executor == null;
			if (first && RedisLockStores.refusesCredentials(ex)) {
				throw ex;
			}
			this.problem = String.valueOf(ex.getMessage());
			return false;
		}
		try {
			connected.listen(pushes);
		}
		catch (RedisException ex) {
			this.problem = "The Redis of the locks can't be reached: " + ex.getMessage();
			connected.close();
			return false;
		}
		keep(connected);
		return true;
	}

	private void keep(LockStore connected) {
		this.mutex.lock();
		try {
			if (!this.closed) {
				this.store = connected;
				return;
			}
		}
		finally {
			this.mutex.unlock();
		}
		connected.close();
	}

	private <T> CompletionStage<T> ask(Function<LockStore, CompletionStage<T>> question) {
		LockStore store = this.store;
		return (store != null) ? question.apply(store)
				: CompletableFuture.failedStage(new CommandNotSentException(
						new RedisException("Redis is not reached yet, " + sinceStart() + " after the start,"
								+ " and is tried again (lock.redis.startup=retry). " + this.problem)));
	}

	private String sinceStart() {
		return Duration.ofNanos(System.nanoTime() - this.sinceNanos).toSeconds() + " s";
	}

	@Override
	public CompletionStage<AcquireReply> acquire(LockOwner attempt, long seenToken, Queueing queueing) {
		return ask((store) -> store.acquire(attempt, seenToken, queueing));
	}

	@Override
	public CompletionStage<Map<LockOwner, AcquireReply>> keepQueued(String lock, Map<LockOwner, Long> sinceMicros) {
		return ask((store) -> store.keepQueued(lock, sinceMicros));
	}

	@Override
	public CompletionStage<RenewReply> renew(LockOwner attempt) {
		return ask((store) -> store.renew(attempt));
	}

	@Override
	public CompletionStage<ReleaseReply> release(LockOwner attempt, long usedToken) {
		return ask((store) -> store.release(attempt, usedToken));
	}

	@Override
	public CompletionStage<ReleaseReply> releaseLater(LockOwner attempt, long usedToken) {
		return ask((store) -> store.releaseLater(attempt, usedToken));
	}

	@Override
	public CompletionStage<RenewReply> downgrade(LockOwner attempt, long usedToken) {
		return ask((store) -> store.downgrade(attempt, usedToken));
	}

	@Override
	public CompletionStage<Boolean> forceRelease(String lock) {
		return ask((store) -> store.forceRelease(lock));
	}

	@Override
	public CompletionStage<LockState> inspect(String lock) {
		return ask((store) -> store.inspect(lock));
	}

	@Override
	public boolean isRefusal(Throwable failure) {
		LockStore store = this.store;
		return failure instanceof CommandNotSentException || (store != null && store.isRefusal(failure));
	}

	@Override
	public void close() {
		this.mutex.lock();
		try {
			this.closed = true;
			if (this.executor != null) {
				this.executor.shutdownNow();
			}
		}
		finally {
			this.mutex.unlock();
		}
		LockStore store = this.store;
		if (store != null) {
			store.close();
		}
	}

}
