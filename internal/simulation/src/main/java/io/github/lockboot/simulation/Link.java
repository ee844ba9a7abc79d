package io.github.lockboot.simulation;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisAsyncCommandsImpl;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.protocol.RedisStateMachine;
import io.lettuce.core.pubsub.RedisPubSubAsyncCommandsImpl;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.simulation.server.RedisStatus;

/**
 * A connection of Lettuce with the socket below it, and its reconnections. Within a
 * connection nothing overtakes.
 *
 * @param <V> type of values and messages
 */
final class Link<V> implements InvocationHandler {

	/** That of the watchdog for the time limits of the world. */
	private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

	/** About how long a call takes. */
	private static final long CALL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	/** Before a packet arrives. */
	private static final long SOON_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

	/** How late what was sent may arrive after that of another connection. */
	private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

	private static final ClientOptions OPTIONS = ClientOptions.create();

	private final World world;

	private final Jvm jvm;

	/** Which of the servers. */
	private final int server;

	private final boolean pubSub;

	private final StatefulRedisPubSubConnection<String, V> connection;

	private final Object commands;

	private final List<RedisConnectionStateListener> stateListeners = new ArrayList<>();

	private final List<RedisPubSubListener<String, V>> listeners = new ArrayList<>();

	private final Set<String> subscribed = new LinkedHashSet<>();

	private final Queue<Sent> inFlight = new ArrayDeque<>();

	private final RedisStateMachine decoder = new RedisStateMachine();

	private final RedisCodec<String, V> codec;

	private @Nullable Node node;

	private Scheduler.@Nullable Line toServer;

	private Scheduler.@Nullable Line toClient;

	/** The number of the connection at the server. */
	private int number;

	/** Counts the sockets. */
	private int epoch;

	private boolean open;

	private boolean closed;

	/** Whether what is sent gets lost, although the socket looks open. */
	private boolean deaf;

	private boolean mute;

	private Scheduler.@Nullable Step idle;

	/** Happens while the next call or push is under way. */
	private @Nullable Decision atCall;

	@SuppressWarnings({ "unchecked", "deprecation" })
	Link(World world, Jvm jvm, int server, RedisCodec<String, V> codec, boolean pubSub) {
		this.world = world;
		this.jvm = jvm;
		this.server = server;
		this.codec = codec;
		this.pubSub = pubSub;
		this.connection = (StatefulRedisPubSubConnection<String, V>) Proxy.newProxyInstance(Link.class.getClassLoader(),
				new Class<?>[] { StatefulRedisPubSubConnection.class }, this);
		this.commands = pubSub ? new RedisPubSubAsyncCommandsImpl<>(this.connection, codec)
				: new RedisAsyncCommandsImpl<>((StatefulRedisConnection<String, V>) this.connection, codec) {

					@Override
					public RedisFuture<String> scriptLoad(String script) { // which is
																			// long
						AsyncCommand<String, V, String> load = new AsyncCommand<>(
								new Command<>(CommandType.SCRIPT, new StatusOutput<>(codec)));
						if (isOpen(load)) {
							Link.this.dispatch(load, "SCRIPT", "LOAD", script);
						}
						return load;
					}

				};
		open();
	}

	StatefulRedisPubSubConnection<String, V> connection() {
		return this.connection;
	}

	int server() {
		return this.server;
	}

	/** Whether something is under way. */
	boolean isBusy() {
		return this.open && (!this.inFlight.isEmpty() || !Objects.requireNonNull(this.toClient).isEmpty());
	}

	boolean isPubSub() {
		return this.pubSub;
	}

	private void open() {
		Node master = this.jvm.master(this.server);
		if (master.machine().isDead()) {
			throw new RedisConnectionException("Unable to connect");
		}
		Scheduler scheduler = this.world.scheduler();
		this.node = master;
		this.number = master.connect(this, this.jvm.rights());
		this.toServer = scheduler.new Line(master.machine(), Scheduler.Kind.PACKET);
		this.toClient = scheduler.new Line(this.jvm.machine(), Scheduler.Kind.PACKET);
		this.epoch++;
		this.deaf = false;
		this.mute = false;
		this.open = true;
	}

	// ---- the side of the client

	@Override
	@SuppressWarnings("unchecked")
	public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
		return switch (method.getName()) {
			case "dispatch" -> dispatch((RedisCommand<String, V, ?>) Objects.requireNonNull(arguments)[0]);
			case "async" -> this.commands;
			case "addListener" -> {
				addListener(Objects.requireNonNull(arguments)[0]);
				yield null;
			}
			case "close", "closeAsync" -> {
				this.closed = true;
				cut(false);
				yield CompletableFuture.completedFuture(null);
			}
			case "isOpen" -> !this.closed;
			case "getResources" -> this.jvm.resources();
			case "getCodec" -> this.codec;
			case "getOptions" -> OPTIONS;
			case "hashCode" -> System.identityHashCode(proxy);
			case "equals" -> proxy == Objects.requireNonNull(arguments)[0];
			case "toString" -> "link of " + this.jvm.name();
			default -> throw this.world.notSimulated(method.toString());
		};
	}

	@SuppressWarnings("unchecked")
	private void addListener(Object listener) {
		if (listener instanceof RedisConnectionStateListener state) {
			this.stateListeners.add(state);
		}
		else {
			this.listeners.add((RedisPubSubListener<String, V>) listener);
		}
	}

	private RedisCommand<String, V, ?> dispatch(RedisCommand<String, V, ?> command) {
		if (isOpen(command)) {
			ByteBuf buffer = this.world.buffer();
			command.encode(buffer);
			dispatch(command, Resp.words(buffer));
		}
		return command;
	}

	private boolean isOpen(RedisCommand<String, V, ?> command) {
		if (!this.open) {
			command.completeExceptionally(new RedisException("Currently not connected. Commands are rejected."));
		}
		return this.open;
	}

	private void dispatch(RedisCommand<String, V, ?> command, String... words) {
		if (this.jvm.isConnecting() && !this.pubSub && !words[0].equals("QUIT")) {
			complete(command, this.world.execute(this.jvm, Objects.requireNonNull(this.node), this.number, words));
		}
		else {
			send(new Sent(command, words));
		}
	}

	void atCall(@Nullable Decision decision) {
		this.atCall = decision;
	}

	private void send(Sent sent) {
		this.inFlight.add(sent);
		if (this.atCall != null && this.atCall.mayHappenAt(sent.words)) {
			boolean late = this.atCall.has(Decision.LATE) || this.world.random().isOneOf(2);
			happen(late ? SOON_NANOS : CALL_NANOS);
		}
		if (this.idle == null) {
			watch();
		}
		if (!this.deaf) {
			int to = this.number;
			Node at = Objects.requireNonNull(this.node);
			int current = this.epoch;
			Objects.requireNonNull(this.toServer).add(this.world.latencyNanos(), () -> arrive(at, to, current, sent));
		}
	}

	private void happen(long mostNanos) {
		Decision decision = this.atCall;
		if (decision != null) {
			this.atCall = null;
			this.world.scheduler()
				.after(new Scheduler.Machine(), this.world.random().nextLong(mostNanos),
						() -> this.world.happen(decision.without(Decision.AT_CALL)));
		}
	}

	private void watch() {
		int current = this.epoch;
		this.idle = this.world.scheduler().after(this.jvm.machine(), IDLE_NANOS, () -> {
			if (this.open && this.epoch == current) {
				this.world.note(() -> this.jvm.name() + ": no answer on " + this + ", reconnects");
				cut(true);
			}
		});
	}

	private void unwatch() {
		if (this.idle != null) {
			this.idle.cancel();
			this.idle = null;
		}
	}

	private void received() {
		unwatch();
		if (!this.inFlight.isEmpty()) {
			watch();
		}
	}

	private void receive(int from, @Nullable Object reply) {
		if (from != this.epoch || !this.open) {
			return;
		}
		Sent sent = Objects.requireNonNull(this.inFlight.poll(), "A reply to nothing");
		received();
		if (sent.words[0].equals("SUBSCRIBE") && reply instanceof List<?>) {
			for (int i = 1; i < sent.words.length; i++) {
				String channel = sent.words[i];
				this.subscribed.add(channel);
				this.listeners.forEach((listener) -> listener.subscribed(channel, 1));
			}
			if (sent.command != null) {
				sent.command.complete();
			}
			return;
		}
		if (sent.command != null) {
			complete(sent.command, reply);
			this.world.checkLeases();
		}
	}

	private void complete(RedisCommand<String, V, ?> command, @Nullable Object reply) {
		ByteBuf buffer = this.world.buffer();
		Resp.write(reply, buffer);
		this.decoder.decode(buffer, command.getOutput());
		command.complete();
	}

	/** The socket is closed: by the network, or by this side. */
	void cut(boolean late) {
		if (!this.open) {
			return;
		}
		this.open = false;
		this.epoch++;
		unwatch();
		Node at = Objects.requireNonNull(this.node);
		int from = this.number;
		Scheduler.Line line = Objects.requireNonNull(this.toServer);
		if (!late) {
			line.clear();
		}
		else if (!this.world.random().isOneOf(3)) {
			line.delay(this.world.random().nextLong(LATE_NANOS));
		}
		line.add(this.world.latencyNanos(), () -> at.disconnect(from));
		List<Sent> lost = List.copyOf(this.inFlight);
		this.inFlight.clear();
		if (this.jvm.machine().isDead()) {
			return;
		}
		lost.forEach((sent) -> {
			if (sent.command != null) {
				sent.command.completeExceptionally(new RedisException("The connection broke"));
			}
		});
		List.copyOf(this.stateListeners).forEach((listener) -> listener.onRedisDisconnected(null));
		reconnect(0);
	}

	/** What is under way to the client takes longer, if anything is. */
	void delay(long nanos) {
		if (this.open) {
			Objects.requireNonNull(this.toClient).delay(nanos);
		}
	}

	private void reconnect(int attempts) {
		if (this.closed) {
			return;
		}
		long most = Math.min(500, 10L << Math.min(attempts, 10));
		this.world.scheduler()
			.after(this.jvm.machine(), TimeUnit.MILLISECONDS.toNanos(this.world.random().between(1, most)), () -> {
				if (this.closed || this.open) {
					return;
				}
				try {
					open();
				}
				catch (RedisConnectionException ex) {
					reconnect(attempts + 1);
					return;
				}
				if (!this.subscribed.isEmpty()) {
					send(new Sent(null, words("SUBSCRIBE", this.subscribed)));
				}
				List.copyOf(this.stateListeners).forEach((listener) -> listener.onRedisConnected(null, null));
			});
	}

	private static String[] words(String first, Collection<String> others) {
		List<String> words = new ArrayList<>(List.of(first));
		words.addAll(others);
		return words.toArray(String[]::new);
	}

	// ---- the network

	/** From now on one direction loses all, and neither side sees that. */
	void halfOpen(boolean toServer) {
		if (toServer) {
			this.deaf = true;
		}
		else {
			this.mute = true;
		}
	}

	// ---- the side of the server

	private void arrive(Node at, int connection, int from, Sent sent) {
		if (!at.isConnected(connection)) {
			return;
		}
		if (sent.words[0].equals("QUIT")) {
			reply(from, new RedisStatus("OK"));
			at.disconnect(connection);
			closedByServer();
			return;
		}
		Object reply = this.world.execute(this.jvm, at, connection, sent.words);
		if (sent.words[0].startsWith("EVAL") && this.world.doublesPacket()) {
			this.world.note(() -> "the network doubles a call of " + this.jvm.name());
			at.execute(connection, sent.words);
		}
		reply(from, reply);
	}

	private void reply(int from, @Nullable Object reply) {
		if (!this.mute && from == this.epoch) {
			Objects.requireNonNull(this.toClient).add(this.world.latencyNanos(), () -> receive(from, reply));
		}
	}

	void push(String channel, String message) {
		happen(SOON_NANOS);
		if (!this.mute && this.open) {
			int from = this.epoch;
			Objects.requireNonNull(this.toClient).add(this.world.latencyNanos(), () -> {
				if (from == this.epoch && this.open) {
					received();
					this.world.pushed(this.jvm, message);
					V value = this.codec.decodeValue(ByteBuffer.wrap(message.getBytes(StandardCharsets.ISO_8859_1)));
					this.listeners.forEach((listener) -> listener.message(channel, value));
				}
			});
		}
	}

	/** The server closes the socket. */
	void endedByServer() {
		if (this.open) {
			Objects.requireNonNull(this.node).disconnect(this.number);
			closedByServer();
		}
	}

	void closedByServer() {
		int from = this.epoch;
		if (!this.mute && this.open) {
			Objects.requireNonNull(this.toClient).add(this.world.latencyNanos(), () -> {
				if (from == this.epoch) {
					cut(false);
				}
			});
		}
	}

	@Override
	public String toString() {
		return this.pubSub ? "its subscription" : "its connection";
	}

	/** A command on its way. */
	private final class Sent {

		private final @Nullable RedisCommand<String, V, ?> command;

		private final String[] words;

		/** Which distinguishes replies for a search. */
		private final long atNanos;

		Sent(@Nullable RedisCommand<String, V, ?> command, String[] words) {
			this.command = command;
			this.words = words;
			this.atNanos = Link.this.world.scheduler().nowNanos();
		}

	}

}
