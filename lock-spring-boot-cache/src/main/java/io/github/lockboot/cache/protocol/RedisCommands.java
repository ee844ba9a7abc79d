package io.github.lockboot.cache.protocol;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.redis.connection.RedisConnection;

/**
 * How Redis is asked: no reply is waited for longer than the time limit, and a server
 * that does not answer is not asked for a while. Connects at the first call at the
 * latest, and learns the time of the servers in passing. Thread-safe.
 */
final class RedisCommands implements AutoCloseable {

	/** Several times in a row: the first answers of a connection are slow. */
	private static final int FIRST_TIMES = 3;

	private final MonotonicClock clock;

	private final StoreConnection connection;

	private final ReplyTimeouts timeouts;

	private final Breakers breakers;

	private final RedisTime time;

	private volatile @Nullable CachePushes pushes;

	/**
	 * Create the commands. Makes no connection yet.
	 * @param connector makes the connections; blocks
	 * @param settings how Redis is used
	 * @param clock the clock to use; closed with this
	 */
	RedisCommands(Supplier<Connections> connector, StoreSettings settings, MonotonicClock clock) {
		this.clock = clock;
		this.connection = new StoreConnection(connector, clock, settings.pause(),
				(reached) -> tell(true, reached ? CachePushes::resumed : CachePushes::paused));
		this.timeouts = new ReplyTimeouts(clock, settings.commandTimeout());
		this.breakers = new Breakers(clock, settings.pause());
		this.time = new RedisTime(clock, this::servers, settings.memory());
	}

	void listen(CachePushes pushes) {
		this.pushes = pushes;
	}

	CachePushes pushes() {
		return Objects.requireNonNull(this.pushes, "Nobody listens to the store");
	}

	RedisTime time() {
		return this.time;
	}

	/** Ask the servers of a new connection for their time. */
	void learnTime(RedisConnection<byte[]> transport) {
		askForTime(transport, FIRST_TIMES);
	}

	private void askForTime(RedisConnection<byte[]> transport, int times) {
		transport.servers().forEach((server) -> askForTime(transport, server, times));
	}

	private void askForTime(RedisConnection<byte[]> transport, String server, int times) {
		long sentNanos = this.clock.nanoTime();
		transport.timeMicros(server).thenAccept((micros) -> {
			this.time.add(server, sentNanos, micros);
			if (times > 1) {
				askForTime(transport, server, times - 1);
			}
		});
	}

	private Set<String> servers() {
		Connections made = this.connection.made();
		return (made != null) ? made.transport().servers() : Set.of();
	}

	/** Return to which server commands on a key go; empty while none is known. */
	String serverOf(String key) {
		Connections made = this.connection.made();
		return (made != null) ? made.transport().serverOf(key) : "";
	}

	/** Return the connections; while there are none, they are made in the background. */
	@Nullable Connections connections() {
		Connections made = this.connection.made();
		if (made == null) {
			this.connection.connections();
		}
		return made;
	}

	/**
	 * Run a script.
	 * @return whether it has answered 1
	 */
	CompletableFuture<Boolean> run(CacheScript script, String[] keys, byte[]... arguments) {
		return ask(keys[0], (connections) -> connections.transport().run(script.script(), keys, arguments))
			.thenApply((reply) -> number(reply, 0) == 1);
	}

	/**
	 * Send a command. The time limit begins when there is a connection.
	 * @param key a key of it
	 * @param command sends it
	 * @return its reply, which fails within the time limit if there is none
	 */
	<T> CompletableFuture<T> ask(String key, Function<Connections, CompletableFuture<T>> command) {
		Connections made = this.connection.made();
		return (made != null) ? ask(made, key, command)
				: this.connection.connections().thenCompose((connections) -> ask(connections, key, command));
	}

	private <T> CompletableFuture<T> ask(Connections connections, String key,
			Function<Connections, CompletableFuture<T>> command) {
		String server = serverOf(key);
		Breaker breaker = this.breakers.of(server);
		if (!breaker.allows()) {
			return CompletableFuture.failedFuture(new RedisException("Redis has failed and is not asked for a while"));
		}
		long sentNanos = this.clock.nanoTime();
		CompletableFuture<T> reply = CompletableFuture.completedFuture(connections).thenCompose(command);
		this.timeouts.add(reply);
		return reply.whenComplete((result, failure) -> {
			this.timeouts.remove(reply);
			record(server, breaker, sentNanos, failure);
		});
	}

	/** An error that Redis answers with is an answer: it costs no caller any time. */
	private void record(String server, Breaker breaker, long sentNanos, @Nullable Throwable failure) {
		if (failure != null && !isAnswer(failure)) {
			tell(breaker.failed(sentNanos), CachePushes::paused);
			return;
		}
		tell(breaker.succeeded(), CachePushes::resumed);
		this.breakers.retireOthers(server, servers()).forEach((wasOpen) -> tell(wasOpen, CachePushes::resumed));
		if (this.time.isDue()) {
			this.connection.connections().thenAccept((connections) -> askForTime(connections.transport(), 1));
		}
	}

	private void tell(boolean changed, Consumer<CachePushes> change) {
		CachePushes pushes = this.pushes;
		if (changed && pushes != null) {
			change.accept(pushes);
		}
	}

	static boolean isAnswer(Throwable failure) {
		return StageFailure.cause(failure) instanceof RedisCommandExecutionException;
	}

	static long number(List<Object> reply, int index) {
		return (Long) reply.get(index);
	}

	@Override
	public void close() {
		this.connection.close();
		this.clock.close();
	}

}
