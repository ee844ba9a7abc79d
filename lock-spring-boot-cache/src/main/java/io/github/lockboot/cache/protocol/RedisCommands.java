package io.github.lockboot.cache.protocol;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.protocol.CacheStore.CachePushes;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.redis.connection.BackgroundConnection;
import io.github.lockboot.redis.connection.CommandNotSentException;
import io.github.lockboot.redis.connection.LuaScript;
import io.github.lockboot.redis.connection.RedisConnection;

/**
 * Sends commands to Redis: every reply has a timeout, within which the command waits for
 * a lost connection, and commands to a server that does not reply pause. Connects at the
 * first call at the latest, and samples the time of the servers. Thread-safe.
 */
final class RedisCommands implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(RedisCommands.class);

	private static final Duration FIRST_PROBE = Duration.ofMillis(5);

	private static final Duration LONGEST_PROBE_PAUSE = Duration.ofMillis(100);

	private final MonotonicClock clock;

	private final BackgroundConnection<byte[]> connection;

	private final ReplyTimeouts timeouts;

	/** By server, so that a failing server does not stop commands to others. */
	private final Map<String, Breaker> breakers = new ConcurrentHashMap<>();

	private final RedisTime time;

	private volatile @Nullable CachePushes pushes;

	private volatile boolean closed;

	/** Create an instance, without connecting; the clock is closed with the instance. */
	RedisCommands(Supplier<RedisConnection<byte[]>> connector, Duration timeout, Duration memory,
			MonotonicClock clock) {
		this.clock = clock;
		this.connection = new BackgroundConnection<>("Redis of the cache", "", connector, this::reached, clock);
		this.timeouts = new ReplyTimeouts(clock, timeout);
		this.time = new RedisTime(clock, this::servers, memory);
	}

	private void reached(@Nullable RuntimeException failure) {
		if (failure != null) {
			logger.warn("The Redis of the cache can't be reached. Methods run uncached until it can: "
					+ failure.getMessage());
		}
		notifyIf(true, (failure != null) ? CachePushes::paused : CachePushes::resumed);
	}

	void listen(CachePushes pushes) {
		this.pushes = pushes;
	}

	CachePushes pushes() {
		return Objects.requireNonNull(this.pushes, "There is no receiver of pushes");
	}

	RedisTime time() {
		return this.time;
	}

	/** Sample the time of all servers, several times one after the other. */
	void sampleTime(RedisConnection<byte[]> redis, int samples) {
		redis.servers().forEach((server) -> sampleTime(redis, server, samples));
	}

	private void sampleTime(RedisConnection<byte[]> redis, String server, int samples) {
		long sentNanos = this.clock.nanoTime();
		redis.timeMicros(server).thenAccept((micros) -> {
			this.time.add(server, sentNanos, micros);
			if (samples > 1) {
				sampleTime(redis, server, samples - 1);
			}
		});
	}

	private Set<String> servers() {
		RedisConnection<byte[]> current = this.connection.current();
		return (current != null) ? current.servers() : Set.of();
	}

	/** Return the name of the server of a key, empty while it is unknown. */
	String serverOf(String key) {
		RedisConnection<byte[]> current = this.connection.current();
		return (current != null) ? current.serverOf(key) : "";
	}

	/** Connect in the background, and return whether that has succeeded. */
	boolean connect() {
		this.connection.begin();
		return this.connection.current() != null;
	}

	private CompletableFuture<RedisConnection<byte[]>> connected() {
		this.connection.begin();
		Duration left = CacheStore.LONGEST_CONNECT.minus(this.connection.age());
		return this.connection.within(left.isNegative() ? Duration.ZERO : left);
	}

	/** Run a script, and return whether its reply is 1. */
	CompletableFuture<Boolean> run(Resend resend, CacheScript script, String[] keys, Object... arguments) {
		return send(keys[0], resend, (redis) -> script.run(redis, keys, arguments))
			.thenApply((reply) -> number(reply, 0) == 1);
	}

	/**
	 * Send a command, whose timeout begins when there is a connection.
	 * @param key one of the keys of the command
	 */
	<T extends @Nullable Object> CompletableFuture<T> send(String key, Resend resend,
			Function<RedisConnection<byte[]>, CompletableFuture<T>> command) {
		return send(key, resend, (redis, reply) -> command.apply(redis).whenComplete(reply));
	}

	<T extends @Nullable Object> CompletableFuture<T> send(String key, Resend resend,
			BiConsumer<RedisConnection<byte[]>, BiConsumer<T, @Nullable Throwable>> command) {
		RedisConnection<byte[]> current = this.connection.current();
		return (current != null) ? send(current, key, resend, command)
				: connected().thenCompose((redis) -> send(redis, key, resend, command));
	}

	private <T extends @Nullable Object> CompletableFuture<T> send(RedisConnection<byte[]> redis, String key,
			Resend resend, BiConsumer<RedisConnection<byte[]>, BiConsumer<T, @Nullable Throwable>> command) {
		Breaker breaker = breakerOf(redis.serverOf(key));
		if (breaker.isOpen()) {
			return CompletableFuture
				.failedFuture(new RedisException("Redis has failed several times. Commands to it pause"));
		}
		Reply<T> reply = new Reply<>(redis, key, breaker, resend, command);
		reply.send();
		this.timeouts.add(reply);
		if (reply.isDone()) {
			this.timeouts.remove(reply);
		}
		return reply;
	}

	private Breaker breakerOf(String server) {
		Breaker known = this.breakers.get(server);
		return (known != null) ? known
				: Objects.requireNonNull(this.breakers.computeIfAbsent(server, (name) -> new Breaker(this.clock)));
	}

	/**
	 * Probe a server until it replies, so that callers wait for its connection and not
	 * for a pause, and no caller has to try.
	 */
	private CompletableFuture<@Nullable Void> recovery(RedisConnection<byte[]> redis, String key, Breaker breaker) {
		return breaker.recovery(() -> probe(redis, key, breaker, FIRST_PROBE));
	}

	private void probe(RedisConnection<byte[]> redis, String key, Breaker breaker, Duration pause) {
		this.clock.schedule(pause, () -> {
			CompletableFuture<Boolean> answered = new CompletableFuture<>();
			this.timeouts.add(answered);
			answered.whenComplete((answer, timeout) -> {
				this.timeouts.remove(answered);
				if (Boolean.TRUE.equals(answer)) {
					notifyIf(breaker.succeeded(), CachePushes::resumed);
					breaker.recovered();
				}
				else if (!this.closed) {
					Duration longer = pause.multipliedBy(2);
					probe(redis, key, breaker,
							(longer.compareTo(LONGEST_PROBE_PAUSE) < 0) ? longer : LONGEST_PROBE_PAUSE);
				}
			});
			try {
				redis.get(key, (entry, failure) -> answered.complete(failure == null || CacheStore.isAnswer(failure)));
			}
			catch (RuntimeException ex) {
				answered.complete(false);
			}
		});
	}

	/** Sample the time of all servers again if the last sample is old. */
	void sampleTimeIfDue() {
		if (this.time.isDue()) {
			connected().thenAccept((redis) -> sampleTime(redis, 1));
		}
	}

	/** Sample the time of all servers anew, since the clock of one was set back. */
	void forgetTime() {
		this.time.forget();
		connected().thenAccept((redis) -> sampleTime(redis, 1));
	}

	private void notifyIf(boolean changed, Consumer<CachePushes> change) {
		CachePushes pushes = this.pushes;
		if (changed && pushes != null) {
			change.accept(pushes);
		}
	}

	static long number(List<Object> reply, int index) {
		return (Long) reply.get(index);
	}

	@Override
	public void close() {
		this.closed = true;
		this.connection.close();
		this.timeouts.close();
		this.clock.close();
	}

	/** Whether a command is sent again after its connection was lost. */
	enum Resend {

		/** For a command that may have taken effect, and must not do so later. */
		IF_NOT_SENT,

		/** For a command that only reads, or whose effect is the same once more. */
		ALWAYS

	}

	/**
	 * The reply to a command, or the failure of a timeout. The breaker knows the outcome
	 * before the caller does; the rest can wait until the caller has it.
	 */
	private final class Reply<T extends @Nullable Object> extends CompletableFuture<T>
			implements BiConsumer<T, @Nullable Throwable> {

		private final RedisConnection<byte[]> redis;

		private final String key;

		private final Breaker breaker;

		private final Resend resend;

		private final BiConsumer<RedisConnection<byte[]>, BiConsumer<T, @Nullable Throwable>> command;

		private final long sentNanos = RedisCommands.this.clock.nanoTime();

		Reply(RedisConnection<byte[]> redis, String key, Breaker breaker, Resend resend,
				BiConsumer<RedisConnection<byte[]>, BiConsumer<T, @Nullable Throwable>> command) {
			this.redis = redis;
			this.key = key;
			this.breaker = breaker;
			this.resend = resend;
			this.command = command;
		}

		void send() {
			if (isDone()) {
				return; // timed out while it waited for the connection
			}
			try {
				this.command.accept(this.redis, this);
			}
			catch (RuntimeException | Error ex) {
				completeExceptionally(ex);
			}
		}

		@Override
		public void accept(T result, @Nullable Throwable failure) {
			if (failure == null) {
				succeeded();
				complete(result);
			}
			else if (!isDone() && mayResend(failure)) {
				recovery(this.redis, this.key, this.breaker).thenRun(this::send);
				return;
			}
			else {
				completeExceptionally(failure);
			}
			RedisCommands.this.timeouts.remove(this);
		}

		/**
		 * Return whether to send the command again: not after an error reply.
		 */
		private boolean mayResend(Throwable failure) {
			Throwable cause = StageFailure.cause(failure);
			return !RedisCommands.this.closed && (cause instanceof CommandNotSentException
					|| (this.resend == Resend.ALWAYS && !(cause instanceof RedisCommandExecutionException)));
		}

		/** Much faster than the hash code of an object. */
		@Override
		public int hashCode() {
			return Long.hashCode(this.sentNanos);
		}

		/** Count the failure; an answer counts as a success, since the server works. */
		@Override
		public boolean completeExceptionally(Throwable failure) {
			if (CacheStore.isAnswer(failure)) {
				succeeded();
			}
			else if (!isDone()) {
				this.redis.callFailed(this.key);
				boolean opened = this.breaker.failed(this.sentNanos);
				notifyIf(opened, CachePushes::paused);
				if (opened) {
					recovery(this.redis, this.key, this.breaker);
				}
			}
			return super.completeExceptionally(failure);
		}

		private void succeeded() {
			if (!isDone()) {
				notifyIf(this.breaker.succeeded(), CachePushes::resumed);
			}
		}

	}

	/**
	 * The circuit breaker of a server. Opens after three failures in a row: no command is
	 * sent until the server, or the one that replaces it, has replied to a probe.
	 * Commands that were in progress together fail together, which counts as one failure.
	 * Thread-safe.
	 */
	static final class Breaker {

		private static final int LIMIT = 3;

		private static final Failures CLOSED = new Failures(0, 0);

		private final AtomicReference<Failures> failures = new AtomicReference<>(CLOSED);

		/** Completes when the server has replied; present while the server is probed. */
		private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> recovery = new AtomicReference<>();

		private final MonotonicClock clock;

		Breaker(MonotonicClock clock) {
			this.clock = clock;
		}

		boolean isOpen() {
			return present().count >= LIMIT;
		}

		/** Close the breaker, and return whether it was open. */
		boolean succeeded() {
			return present() != CLOSED && this.failures.getAndSet(CLOSED).count >= LIMIT;
		}

		/** Count the failure of a command, and return whether it opens the breaker. */
		boolean failed(long sentNanos) {
			Failures present = present();
			while (present.isBefore(sentNanos)) {
				Failures counted = new Failures(present.count + 1, this.clock.nanoTime());
				if (this.failures.compareAndSet(present, counted)) {
					return counted.count == LIMIT;
				}
				present = present();
			}
			return false;
		}

		/**
		 * Return a future that completes when the server has replied to a probe.
		 * @param probe starts to probe the server, called unless a probe is in progress
		 */
		CompletableFuture<@Nullable Void> recovery(Runnable probe) {
			CompletableFuture<@Nullable Void> mine = new CompletableFuture<>();
			CompletableFuture<@Nullable Void> present = this.recovery.compareAndExchange(null, mine);
			if (present != null) {
				return present;
			}
			probe.run();
			return mine;
		}

		/** Close the breaker, since the server has replied to a probe. */
		void recovered() {
			CompletableFuture<@Nullable Void> ended = this.recovery.getAndSet(null);
			if (ended != null) {
				ended.complete(null);
			}
		}

		private Failures present() {
			return Objects.requireNonNull(this.failures.get());
		}

		private record Failures(int count, long lastNanos) {

			boolean isBefore(long sentNanos) {
				return this.count == 0 || sentNanos - this.lastNanos >= 0;
			}

		}

	}

	/**
	 * The scripts of the cache. The header of each file is its contract.
	 */
	enum CacheScript {

		ACQUIRE("acquire.lua"), STORE("wake.lua", "parts.lua", "store.lua"), ABANDON("wake.lua", "abandon.lua"),
		RENEW("renew.lua"), EVICT("wake.lua", "evict.lua"), STEP("wake.lua", "step.lua"),
		PUT("wake.lua", "parts.lua", "put.lua"), EPOCH("epoch.lua"), CLEAR("clear.lua"), TAGS("tags.lua");

		private final LuaScript script;

		CacheScript(String... files) {
			this.script = LuaScript.read(CacheScript.class, files);
		}

		LuaScript script() {
			return this.script;
		}

		/** Run the script. Arguments that are not bytes are sent as their text. */
		CompletableFuture<List<Object>> run(RedisConnection<byte[]> redis, String[] keys, Object... arguments) {
			return redis.run(this.script, keys,
					Arrays.stream(arguments).map(CacheScript::bytes).toArray(byte[][]::new));
		}

		private static byte[] bytes(Object argument) {
			return (argument instanceof byte[] bytes) ? bytes : argument.toString().getBytes(StandardCharsets.UTF_8);
		}

		static List<LuaScript> all() {
			return Arrays.stream(values()).map(CacheScript::script).toList();
		}

	}

	/**
	 * Fails replies that have not arrived when the command timeout ends. One timer serves
	 * all replies and waits for the oldest one. If the timer is late, the JVM stood
	 * still, and replies that arrived meanwhile are read first. Thread-safe.
	 */
	static final class ReplyTimeouts {

		/** How late a timer is after a stop of the JVM, and how long to wait then. */
		private static final Duration STOPPED = Duration.ofMillis(100);

		private final MonotonicClock clock;

		private final Duration timeout;

		private final Map<CompletableFuture<?>, Long> deadlines = new ConcurrentHashMap<>();

		private final AtomicBoolean scheduled = new AtomicBoolean();

		ReplyTimeouts(MonotonicClock clock, Duration timeout) {
			this.clock = clock;
			this.timeout = timeout;
		}

		/** Watch a reply from now on, until {@link #remove} is called. */
		void add(CompletableFuture<?> reply) {
			long deadline = this.clock.nanoTime() + this.timeout.toNanos();
			this.deadlines.put(reply, deadline);
			schedule(deadline);
		}

		void remove(CompletableFuture<?> reply) {
			this.deadlines.remove(reply);
		}

		/** Fail all replies, for which no timer will run any more. */
		void close() {
			this.deadlines.keySet().forEach((reply) -> reply.completeExceptionally(new RedisException("Closed")));
		}

		private void schedule(long deadline) {
			if (!this.scheduled.get() && this.scheduled.compareAndSet(false, true)) {
				scheduleAt(deadline);
			}
		}

		private void scheduleAt(long deadline) {
			this.clock.schedule(deadline, () -> {
				if (this.clock.nanoTime() - deadline < STOPPED.toNanos()) {
					failOverdue();
				}
				else {
					this.clock.schedule(STOPPED, this::failOverdue);
				}
			});
		}

		private void failOverdue() {
			long now = this.clock.nanoTime();
			this.deadlines.entrySet()
				.stream()
				.filter((deadline) -> deadline.getValue() - now <= 0)
				.sorted(Map.Entry.comparingByValue())
				.map(Map.Entry::getKey)
				.toList()
				.forEach((reply) -> {
					remove(reply);
					reply.completeExceptionally(new RedisCommandTimeoutException(
							"Redis did not answer within " + this.timeout.toMillis() + " ms"));
				});
			Optional<Long> next = earliest();
			if (next.isPresent()) {
				scheduleAt(next.get());
				return;
			}
			this.scheduled.set(false);
			// a reply that was added before that has not scheduled the timer
			earliest().ifPresent(this::schedule);
		}

		private Optional<Long> earliest() {
			return this.deadlines.values().stream().min(Comparator.naturalOrder());
		}

	}

}
