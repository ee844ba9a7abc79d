package io.github.lockboot.redis;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.LockState;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.concurrent.DaemonThreads;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockOwner;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.engine.store.StoreTraits;
import io.github.lockboot.redis.connection.CommandNotSentException;
import io.github.lockboot.redis.connection.ConnectionSettings;

/**
 * A store that connects in the background and retries every second until it is connected.
 * A call waits for the first attempt within its time limit. Later, and until a retry has
 * succeeded, it fails at once. Then it is known that it was not sent.
 * <p>
 * The connection for pushes is opened with the first acquisition, also in the background:
 * many an application starts and acquires no lock for long. Until then nobody queues in
 * the store. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class ConnectingLockStore implements LockStore {

	private static final Log logger = LogFactory.getLog(ConnectingLockStore.class);

	private final String server;

	private final String instance;

	private final RedisLockSettings settings;

	private final Supplier<LockStore> connector;

	private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1,
			new DaemonThreads("lock-connector"));

	private final long createdNanos = System.nanoTime();

	private final CompletableFuture<Boolean> firstAttempt = new CompletableFuture<>();

	/** Whether the connection for pushes is open or about to open. */
	private final AtomicBoolean listening = new AtomicBoolean();

	private volatile @Nullable LockPushes pushes;

	private volatile RuntimeException failure = new RedisException("The first attempt is in progress.");

	private volatile @Nullable LockStore store;

	private volatile boolean closed;

	/**
	 * Create a store on one of several servers, not connected yet.
	 * @param server the server, as messages name it
	 * @param checkServer called with the run id of the server, which is the same for
	 * every address until the server restarts, or with {@code null} if the user lacks the
	 * right to read it; may throw to refuse the server
	 */
	public ConnectingLockStore(String server, ConnectionSettings application, MonotonicClock clock,
			RedisLockSettings settings, Consumer<@Nullable String> checkServer) {
		this(server, "", settings,
				() -> RedisLockStore.connect(application, clock, settings, LockStore.newInstance(), checkServer));
	}

	/**
	 * Creates a store that is not connected yet.
	 * @param connector connects, and may block; it is called again if it throws
	 */
	ConnectingLockStore(String server, String instance, RedisLockSettings settings, Supplier<LockStore> connector) {
		this.server = server;
		this.instance = instance;
		this.settings = settings;
		this.connector = connector;
	}

	/** Start to connect. */
	public void connect() {
		this.executor.execute(this::attempt);
	}

	/**
	 * Wait for the first attempt to connect. The wait ends with {@link #close()}.
	 * @return why no attempt has succeeded, or {@code null} if one has
	 */
	public @Nullable RuntimeException awaitFirstAttempt() {
		try {
			this.firstAttempt.get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return new LockUnavailableException(null, "The start was interrupted while it waited for " + this.server,
					ex);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The attempt is never completed exceptionally", ex);
		}
		return (this.store != null) ? null : this.failure;
	}

	/** Begins to connect. */
	@Override
	public void listen(LockPushes pushes) {
		this.pushes = pushes;
		connect();
	}

	/**
	 * Waits for the first attempt. If it is retried, only refused credentials are an
	 * error.
	 */
	void awaitConnected() {
		RuntimeException failure = awaitFirstAttempt();
		if (failure != null) {
			if (!retries() || Thread.currentThread().isInterrupted() || refusesCredentials(failure)) {
				throw failure;
			}
			logger.warn(failure.getMessage() + "; no lock can be acquired until " + this.server
					+ " is connected, which is retried every second (lock.redis.startup=retry)");
		}
	}

	/** Whether Redis refuses the user or the password, which a retry does not heal. */
	public static boolean refusesCredentials(@Nullable Throwable failure) {
		if (failure == null) {
			return false;
		}
		String message = String.valueOf(failure.getMessage());
		// a cluster suppresses the failures of its nodes
		return (failure instanceof RedisCommandExecutionException
				&& Stream.of("WRONGPASS", "NOAUTH", "ERR AUTH").anyMatch(message::startsWith))
				|| refusesCredentials(failure.getCause())
				|| Stream.of(failure.getSuppressed()).anyMatch(ConnectingLockStore::refusesCredentials);
	}

	private boolean retries() {
		return this.settings.startup() == RedisLockSettings.Startup.RETRY;
	}

	private void attempt() {
		try {
			LockStore connected = this.connector.get();
			this.store = connected;
			if (this.closed) {
				connected.close();
			}
			if (!this.firstAttempt.complete(true)) {
				logger.info("Connected to " + this.server + " " + sinceStartup() + " after startup");
			}
			this.executor.shutdown();
		}
		catch (RuntimeException ex) {
			boolean known = String.valueOf(ex.getMessage()).equals(this.failure.getMessage());
			this.failure = ex;
			if (!this.firstAttempt.complete(false) && !known && !this.closed) {
				logger.warn(this.server + " is still not connected, which is retried: " + ex.getMessage());
			}
			if (!this.closed) {
				this.executor.schedule(this::attempt, 1, TimeUnit.SECONDS);
			}
		}
	}

	/**
	 * Opens the connection for pushes, unless it is open or about to open, or there is no
	 * other connection yet. Blocks.
	 * @throws RedisException if that fails
	 */
	void listenToPushes() {
		LockStore connected = this.store;
		if (connected != null && this.listening.compareAndSet(false, true)) {
			listen(connected);
		}
	}

	private void listenInBackground(LockStore connected) {
		try {
			listen(connected);
		}
		catch (RuntimeException ex) {
			if (!this.closed) {
				logger.warn("Waiters poll for their locks, because the connection for pushes of " + this.server
						+ " can't be opened, which is retried with the next lock: " + ex.getMessage());
			}
		}
	}

	private void listen(LockStore connected) {
		LockPushes pushes = this.pushes;
		try {
			if (pushes != null) {
				connected.listen(pushes);
				pushes.connected(connected);
				pushes.missed(); // by calls before
			}
		}
		catch (RuntimeException ex) {
			this.listening.set(false);
			throw ex;
		}
	}

	private <T> CompletionStage<T> call(Function<LockStore, CompletionStage<T>> call) {
		return this.firstAttempt.copy()
			.completeOnTimeout(false, this.settings.commandTimeout().toNanos(), TimeUnit.NANOSECONDS)
			.thenCompose((connected) -> {
				LockStore store = this.store;
				return (store != null) ? LockStore.call(() -> call.apply(store))
						: CompletableFuture.failedStage(notConnected());
			});
	}

	private CommandNotSentException notConnected() {
		String mode = retries() ? " (lock.redis.startup=retry)" : "";
		return new CommandNotSentException(new RedisException("Not connected to " + this.server + " yet, "
				+ sinceStartup() + " after startup" + mode + ". " + this.failure.getMessage(), this.failure));
	}

	private String sinceStartup() {
		return Duration.ofNanos(System.nanoTime() - this.createdNanos).toSeconds() + " s";
	}

	@Override
	public StoreTraits traits() {
		return RedisLockStore.traits(this.settings);
	}

	@Override
	public String instance() {
		return this.instance;
	}

	@Override
	public CompletionStage<AcquireReply> acquire(LockOwner owner, long seenToken, Queueing queueing) {
		return call((store) -> {
			CompletionStage<AcquireReply> reply = store.acquire(owner, seenToken, queueing);
			if (this.listening.compareAndSet(false, true)) {
				new DaemonThreads("lock-connector").execute(() -> listenInBackground(store));
			}
			return reply;
		});
	}

	@Override
	public CompletionStage<Map<LockOwner, AcquireReply>> keepQueued(String lock, Map<LockOwner, Long> sinceMicros) {
		return call((store) -> store.keepQueued(lock, sinceMicros));
	}

	@Override
	public CompletionStage<RenewReply> renew(LockOwner owner) {
		return call((store) -> store.renew(owner));
	}

	@Override
	public CompletionStage<ReleaseReply> release(LockOwner owner, long usedToken) {
		return call((store) -> store.release(owner, usedToken));
	}

	@Override
	public CompletionStage<ReleaseReply> releaseLater(LockOwner owner, long usedToken) {
		return call((store) -> store.releaseLater(owner, usedToken));
	}

	@Override
	public CompletionStage<RenewReply> downgrade(LockOwner owner, long usedToken) {
		return call((store) -> store.downgrade(owner, usedToken));
	}

	@Override
	public CompletionStage<Boolean> forceRelease(String lock) {
		return call((store) -> store.forceRelease(lock));
	}

	@Override
	public CompletionStage<LockState> inspect(String lock) {
		return call((store) -> store.inspect(lock));
	}

	@Override
	public boolean isRefusal(Throwable failure) {
		LockStore store = this.store;
		return failure instanceof CommandNotSentException || (store != null && store.isRefusal(failure));
	}

	/** A connection that is opened meanwhile is closed by its attempt. */
	@Override
	public void close() {
		this.closed = true;
		this.executor.shutdownNow();
		this.firstAttempt.complete(false);
		LockStore store = this.store;
		if (store != null) {
			store.close();
		}
	}

	@Override
	public String toString() {
		return this.server;
	}

}
