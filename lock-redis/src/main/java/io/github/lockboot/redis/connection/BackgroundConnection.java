package io.github.lockboot.redis.connection;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.lettuce.core.RedisException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.concurrent.FutureWait;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * A connection that is opened in the background. A failed attempt is retried every second
 * until an attempt succeeds; later, Lettuce reconnects. A call waits for the first
 * attempt within its time limit. After the first attempt, and until a retry has
 * succeeded, a call fails at once, and has certainly not been sent. Thread-safe.
 *
 * @param <V> type of values, arguments and messages
 */
@Internal
public final class BackgroundConnection<V> implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(BackgroundConnection.class);

	private static final Duration RETRY = Duration.ofSeconds(1);

	private final String server;

	private final String hint;

	private final Supplier<RedisConnection<V>> connector;

	private final Consumer<@Nullable RuntimeException> onReached;

	private final MonotonicClock clock;

	private final MonotonicClock.Workers connecting;

	private final AtomicBoolean begun = new AtomicBoolean();

	/** Completed with whether the first attempt has succeeded. */
	private final CompletableFuture<Boolean> firstAttempt = new CompletableFuture<>();

	private volatile long begunNanos;

	private volatile RuntimeException failure = new RedisException("The first attempt is in progress.");

	private volatile @Nullable RedisConnection<V> current;

	private volatile boolean closed;

	/**
	 * Create an instance, without connecting.
	 * @param server the server, as messages name it
	 * @param hint added to the message of a call that fails for lack of a connection
	 * @param connector connects, and may block; called again if it throws an exception
	 * @param onReached called with the failure of the first attempt, and with
	 * {@code null} when a later attempt has succeeded
	 * @param clock used until this is closed
	 */
	public BackgroundConnection(String server, String hint, Supplier<RedisConnection<V>> connector,
			Consumer<@Nullable RuntimeException> onReached, MonotonicClock clock) {
		this.server = server;
		this.hint = hint;
		this.connector = connector;
		this.onReached = onReached;
		this.clock = clock;
		this.connecting = clock.workers("lock-connector", 1);
		this.begunNanos = clock.nanoTime();
	}

	/** Begin to connect, unless the first attempt has already begun. */
	public void begin() {
		if (this.begun.get()) {
			return;
		}
		this.begunNanos = this.clock.nanoTime(); // first, because others may read it
		if (this.begun.compareAndSet(false, true)) {
			this.connecting.execute(this::attempt);
		}
	}

	/** Return the connection, or {@code null} if there is none yet. */
	public @Nullable RedisConnection<V> current() {
		return this.current;
	}

	/**
	 * Wait for the first attempt, for so long at most, without blocking a thread; for
	 * calls that find no current connection.
	 */
	public CompletableFuture<RedisConnection<V>> within(Duration limit) {
		CompletableFuture<Boolean> end = this.firstAttempt.copy();
		MonotonicClock.Timer timer = this.clock.schedule(limit, () -> end.complete(false));
		end.thenRun(timer::cancel);
		return connected(end);
	}

	/**
	 * Wait for the first attempt, however long it takes: it has limits of its own, and a
	 * JVM that starts may be slow.
	 */
	public CompletableFuture<RedisConnection<V>> connected() {
		return connected(this.firstAttempt);
	}

	private CompletableFuture<RedisConnection<V>> connected(CompletableFuture<Boolean> end) {
		return end.thenApply((succeeded) -> {
			RedisConnection<V> connected = this.current;
			if (connected == null) {
				throw new CommandNotSentException(
						new RedisException("Not connected to " + this.server + " yet, " + sinceStartup()
								+ " after startup" + this.hint + ". " + this.failure.getMessage(), this.failure));
			}
			return connected;
		});
	}

	/**
	 * Wait for the first attempt. The wait ends with {@link #close()}.
	 * @return why no attempt has succeeded, or {@code null} if an attempt has succeeded
	 */
	public @Nullable RuntimeException awaitFirstAttempt() {
		try {
			FutureWait.get(this.firstAttempt);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return new RedisException("The start was interrupted while it waited for " + this.server, ex);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The attempt is never completed exceptionally", ex);
		}
		return (this.current != null) ? null : this.failure;
	}

	/** Return how long ago the first attempt began. */
	public Duration age() {
		return Duration.ofNanos(this.clock.nanoTime() - this.begunNanos);
	}

	private void attempt() {
		if (this.closed) {
			return;
		}
		boolean first = !this.firstAttempt.isDone();
		RedisConnection<V> connected;
		try {
			connected = this.connector.get();
		}
		catch (Throwable ex) { // such as that of two versions of Netty
			failed((ex instanceof RuntimeException failure) ? failure : new RedisException(ex), first);
			return;
		}
		this.current = connected;
		if (this.closed) {
			connected.close();
		}
		this.firstAttempt.complete(true);
		this.connecting.close();
		if (!first) {
			logger.info("Connected to " + this.server + " " + sinceStartup() + " after startup");
			this.onReached.accept(null);
		}
	}

	private void failed(RuntimeException ex, boolean first) {
		boolean known = String.valueOf(ex.getMessage()).equals(this.failure.getMessage());
		this.failure = ex;
		if (first && !this.closed) {
			this.onReached.accept(ex);
		}
		this.firstAttempt.complete(false);
		if (!first && !known && !this.closed) {
			logger.warn(this.server + " is still not connected. The connection is retried: " + ex.getMessage());
		}
		this.clock.schedule(RETRY, () -> this.connecting.execute(this::attempt));
	}

	private String sinceStartup() {
		return age().toSeconds() + " s";
	}

	/**
	 * Close the connection. An attempt in progress closes the connection that it opens.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.connecting.close();
		this.firstAttempt.complete(false);
		RedisConnection<V> connected = this.current;
		if (connected != null) {
			connected.close();
		}
	}

	@Override
	public String toString() {
		return this.server;
	}

}
