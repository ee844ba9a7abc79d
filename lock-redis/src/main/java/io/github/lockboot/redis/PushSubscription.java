package io.github.lockboot.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.lettuce.core.RedisException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.FutureWait;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.redis.connection.BackgroundConnection;
import io.github.lockboot.redis.connection.RedisConnection;
import io.github.lockboot.redis.connection.Subscription;

/**
 * The subscription of this JVM to what Redis pushes. It is opened with the first
 * acquisition, in the background, since many applications acquire no lock for a long time
 * after startup. Until then, waiters poll. A JVM that must not notify others is not
 * notified either, so that waiters behind it know that they have to poll. Thread-safe.
 */
final class PushSubscription implements AutoCloseable {

	private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** How long closing waits for a connection that is being opened. */
	private static final Duration CLOSING = Duration.ofSeconds(1);

	private static final Log logger = LogFactory.getLog(PushSubscription.class);

	private final BackgroundConnection<String> server;

	private final LockKeys keys;

	private final String instance;

	private final boolean confirmed;

	private final MonotonicClock clock;

	private final MonotonicClock.Workers connecting;

	private final Consumer<RedisConnection<String>> onOpen;

	/** Whether the subscription is open or about to open. */
	private final AtomicBoolean opening = new AtomicBoolean();

	/** Completed unless the subscription is being opened in the background. */
	private volatile CompletableFuture<Void> opened = CompletableFuture.completedFuture(null);

	/** Whether the user may notify others, as far as is known. */
	private volatile boolean publishes;

	private volatile @Nullable LockPushes pushes;

	private volatile @Nullable Subscription subscription;

	private volatile long probedNanos;

	private volatile boolean closed;

	/**
	 * Create a subscription that is not open yet.
	 * @param confirmed whether a grant needs no confirmation by replicas
	 * @param onOpen called each time that a channel is open
	 */
	PushSubscription(BackgroundConnection<String> server, LockKeys keys, String instance, boolean confirmed,
			MonotonicClock clock, Consumer<RedisConnection<String>> onOpen) {
		this.server = server;
		this.keys = keys;
		this.instance = instance;
		this.confirmed = confirmed;
		this.clock = clock;
		this.connecting = clock.workers("lock-connector", 1);
		this.onOpen = onOpen;
		this.probedNanos = clock.nanoTime();
	}

	void listen(LockPushes pushes) {
		this.pushes = pushes;
	}

	/** Note that the server is connected, and whether the user may notify others. */
	void connected(boolean publishes) {
		this.publishes = publishes;
	}

	/**
	 * Open the subscription, unless it is open or about to open. This method blocks.
	 * @throws RedisException if the connection cannot be opened
	 */
	void open(RedisConnection<String> redis) {
		if (mayOpen()) {
			subscribe(redis);
		}
	}

	/** Open the subscription in the background, unless it is open or about to open. */
	void openInBackground(RedisConnection<String> redis) {
		if (mayOpen()) {
			this.opened = CompletableFuture.runAsync(() -> subscribeOrWarn(redis), this.connecting);
		}
	}

	private boolean mayOpen() {
		return this.publishes && !this.opening.get() && this.opening.compareAndSet(false, true);
	}

	private void subscribe(RedisConnection<String> redis) {
		LockPushes pushes = this.pushes;
		try {
			if (pushes != null && !this.closed) {
				// a channel may reopen on another server, with another eviction policy
				this.subscription = redis.subscribe(this.keys.channelPrefix(), this.instance,
						new PushMessages(this.keys, pushes, this.confirmed, () -> this.onOpen.accept(redis)));
				pushes.missed(); // by earlier calls
			}
		}
		catch (RuntimeException ex) {
			this.opening.set(false);
			throw ex;
		}
	}

	private void subscribeOrWarn(RedisConnection<String> redis) {
		try {
			subscribe(redis);
		}
		catch (RuntimeException ex) {
			boolean logged = redis.isUnreachable(this.keys.channelPrefix());
			if (!this.closed && !logged) {
				logger.warn("Waiters poll for their locks, because the connection for pushes of " + this.server
						+ " can't be opened. The connection is retried with the next lock: " + ex.getMessage());
			}
		}
	}

	/** Return whether pushes about a lock would reach this JVM. */
	boolean isOpenFor(String key) {
		Subscription subscription = this.subscription;
		return subscription != null && subscription.isOpenFor(key);
	}

	/**
	 * Probe the subscription, because a long wait may be caused by a connection that no
	 * longer receives anything.
	 */
	void probe() {
		Subscription subscription = this.subscription;
		long now = this.clock.nanoTime();
		if (subscription != null && now - this.probedNanos >= PROBE_NANOS) {
			this.probedNanos = now;
			subscription.probe(this.keys.channelPrefix() + this.instance);
		}
	}

	/**
	 * Close the subscription, after it was opened: otherwise Netty would log that its
	 * threads have ended.
	 */
	@Override
	public void close() {
		this.closed = true;
		FutureWait.await(this.opened, CLOSING);
		if (this.subscription != null) {
			this.subscription.close();
		}
		this.connecting.close();
	}

}
