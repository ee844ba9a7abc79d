package io.github.lockboot.simulation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.concurrent.EventExecutorGroup;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockException;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.OnLost;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.engine.SimulatedCache;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.LockLifecycle;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockStore;
import io.github.lockboot.redis.connection.SimulatedSource;
import io.github.lockboot.redis.redlock.SimulatedRedlock;
import io.github.lockboot.simulation.server.Rights;

/**
 * A JVM of the world: the engine, the store and its connections, on simulated threads.
 */
final class Jvm implements MonotonicClock {

	/** Its user may neither publish nor subscribe. */
	static final int SILENT = 1;

	/** Its user may not use the texts about JVMs. */
	static final int NO_TEXTS = 2;

	/** It neither tells who it is nor asks, as an older version. */
	static final int HIDDEN = 4;

	private static final long HEARTBEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	private static final Set<String> SENT = Set.of("acquire", "renew", "extend", "release");

	private final World world;

	private final String name;

	private final Scheduler.Machine machine = new Scheduler.Machine();

	private final Seed random;

	private final Rights rights = new Rights() {

		@Override
		public boolean mayReach(String channel) {
			return Jvm.this.nanoTime() >= Jvm.this.silentUntilNanos;
		}

		@Override
		public boolean mayUse(String key) {
			return (Jvm.this.lacks & NO_TEXTS) == 0 || !key.startsWith("lock:instance:");
		}

	};

	/** What it or its user may not do. */
	private final int lacks;

	/** Until when its user may neither publish nor subscribe. */
	private long silentUntilNanos;

	private final List<Link<?>> links = new ArrayList<>();

	private final List<Scheduler.Line> serial = new ArrayList<>();

	private final Duration lease;

	private final int minReplicas;

	private final LockStore store;

	private final LockTemplate locks;

	private final Warnings warnings;

	/** The servers, as the JVM knows them. */
	private final List<Node> masters;

	/** Whether a thread connects, which waits for each reply at once. */
	private boolean connecting;

	/** After how many looks at the clock the present thread is interrupted. */
	private int looksUntilInterrupt;

	private final List<Runnable> suspensionTasks = new ArrayList<>();

	/** When its clock last stood still, and by how much it is behind since then. */
	private long stoodNanos;

	private long behindNanos;

	/** Whether its machine was suspended, which nobody has noticed yet. */
	private boolean suspended;

	private long noticedNanos;

	private boolean timersEnded;

	private boolean closed;

	private @Nullable SimulatedCache cache;

	Jvm(World world, String name, Seed random, List<Node> masters, int lacks, Duration lease, int minReplicas) {
		this.world = world;
		this.name = name;
		this.random = random;
		this.masters = new ArrayList<>(masters);
		this.lacks = lacks;
		this.silentUntilNanos = ((lacks & SILENT) != 0) ? Long.MAX_VALUE : 0;
		this.minReplicas = minReplicas;
		this.lease = lease;
		this.store = simulated((masters.size() == 1) ? newStore(0) : newRedlock(), newInstance());
		this.warnings = new Warnings(world, this, lease);
		this.locks = new LockTemplate(this.store, this, defaults(), List.of(this.warnings));
	}

	private LockDefaults defaults() {
		return new LockDefaults(Duration.ofSeconds(3), this.lease, OnLost.LOG)
			.withApplication(((this.lacks & HIDDEN) == 0) ? this.name : null);
	}

	private String newInstance() {
		return String.format("%016x", this.random.nextLong());
	}

	private RedisLockStore newStore(int server) {
		return new RedisLockStore("Redis", newInstance(),
				SimulatedSource.connector(() -> newSource(server), !this.world.isSearched()), this,
				RedisLockSettings.defaults()
					.withLockDefaults(defaults())
					.withMinReplicasAcknowledged(this.minReplicas)
					.withStartup(RedisLockSettings.Startup.RETRY),
				(this.masters.size() == 1) ? null : (runId) -> {
				});
	}

	private LockStore newRedlock() {
		List<RedisLockStore> members = IntStream.range(0, this.masters.size()).mapToObj(this::newStore).toList();
		members.forEach((member) -> member.connection().begin());
		return SimulatedRedlock.store(members, this);
	}

	/** Return a store with a name that the seed decides. */
	private LockStore simulated(LockStore store, String instance) {
		if (this.masters.size() == 1 && !this.world.isUnordered()) {
			return store;
		}
		return (LockStore) Proxy.newProxyInstance(Jvm.class.getClassLoader(), new Class<?>[] { LockStore.class },
				(proxy, method, arguments) -> {
					if (method.getName().equals("instance") && this.masters.size() > 1) {
						return instance;
					}
					try {
						return (this.world.isUnordered() && SENT.contains(method.getName()))
								? later(() -> (CompletionStage<?>) method.invoke(store, arguments))
								: method.invoke(store, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

	/** A call that others may overtake. */
	private CompletionStage<?> later(Callable<CompletionStage<?>> call) {
		CompletableFuture<Object> reply = new CompletableFuture<>();
		this.world.scheduler().after(this.machine, this.random.nextLong(2_000_000), () -> {
			try {
				call.call().whenComplete((result, failure) -> StageFailure.pass(result, failure, reply));
			}
			catch (Exception ex) {
				reply.completeExceptionally(ex);
			}
		});
		return reply;
	}

	String name() {
		return this.name;
	}

	Scheduler.Machine machine() {
		return this.machine;
	}

	/**
	 * Suspend the machine: its clock stands still, and what is under way to it may come
	 * long after.
	 */
	void suspend(long nanos) {
		long now = this.world.scheduler().nowNanos();
		if (!this.machine.hasRunSince(now)) {
			return;
		}
		this.stoodNanos = nanoTime();
		this.behindNanos += nanos;
		this.suspended = true;
		this.machine.pauseUntil(now + nanos);
		if (this.random.isOneOf(2)) {
			this.links.forEach((link) -> link.delay(nanos + this.random.nextLong(nanos)));
		}
		this.world.scheduler().at(this.machine, now + nanos + this.random.nextLong(HEARTBEAT_NANOS), () -> {
			wasSuspendedSince(0);
			this.suspensionTasks.forEach(Runnable::run);
		});
	}

	Rights rights() {
		return this.rights;
	}

	void silenceUntil(long nanos) {
		this.silentUntilNanos = Math.max(this.silentUntilNanos, nanos);
	}

	LockStore store() {
		return this.store;
	}

	LockTemplate locks() {
		return this.locks;
	}

	Warnings warnings() {
		return this.warnings;
	}

	LockLifecycle lifecycle() {
		return LockLifecycle.of(this.locks);
	}

	List<Link<?>> links() {
		return this.links;
	}

	Node master(int server) {
		return this.masters.get(server);
	}

	void master(int server, Node master) {
		this.masters.set(server, master);
	}

	boolean isConnecting() {
		return this.connecting;
	}

	/** Whether it neither runs nor is closed. */
	boolean isGone() {
		return this.closed || this.machine.isDead();
	}

	/** Gives it a cache with a connection of its own, which begins to connect. */
	SimulatedCache newCache(UnaryOperator<CacheSettings> settings, int shape) {
		SimulatedCache cache = new SimulatedCache(SimulatedSource.cacheConnector(() -> newSource(0)), newInstance(),
				this, settings, shape, workers("cache", 2));
		this.cache = cache;
		cache.connect();
		return cache;
	}

	/** Closes the locks; threads for which that waits run meanwhile. */
	void shutDown() {
		this.closed = true;
		this.serial.forEach(Scheduler.Line::runAll);
		this.locks.close();
		if (this.cache != null) {
			this.cache.close();
		}
	}

	/** The kernel closes the sockets of a process that dies. */
	void crash() {
		this.machine.die();
		List.copyOf(this.links).forEach((link) -> link.cut(true));
	}

	// ---- time, timers, randomness and threads

	/**
	 * Make a blocking call whose thread is interrupted when it begins to wait, so that it
	 * never blocks the world. A call looks at the clock when it begins, and then waits.
	 */
	<T> CompletableFuture<T> interrupted(Supplier<T> call) {
		this.looksUntilInterrupt = 2;
		try {
			return CompletableFuture.completedFuture(call.get());
		}
		catch (LockException ex) {
			if (ex instanceof LockInterruptedException && !Thread.currentThread().isInterrupted()) {
				this.world.fail("An interrupt of a thread of " + this.name + " is forgotten");
			}
			return CompletableFuture.failedFuture(ex);
		}
		finally {
			this.looksUntilInterrupt = 0;
			Thread.interrupted();
		}
	}

	@Override
	public long nanoTime() {
		if (this.looksUntilInterrupt > 0 && --this.looksUntilInterrupt == 0) {
			Thread.currentThread().interrupt();
		}
		return Math.max(this.stoodNanos, this.world.scheduler().nowNanos() - this.behindNanos);
	}

	@Override
	public Instant wallTime() {
		return Instant.ofEpochSecond(1_790_000_000L, this.world.scheduler().nowNanos());
	}

	@Override
	public void onSuspended(Runnable task) {
		this.suspensionTasks.add(task);
	}

	@Override
	public boolean wasSuspendedSince(long nanos) {
		boolean over = this.suspended && nanoTime() > this.stoodNanos;
		this.noticedNanos = over ? nanoTime() : this.noticedNanos;
		this.suspended &= !over;
		return this.suspended || nanos < this.noticedNanos;
	}

	@Override
	public Timer schedule(long atNanos, Runnable task) {
		if (this.timersEnded) {
			return () -> {
			};
		}
		return new Due(atNanos + this.random.nextLong(50_000), task);
	}

	@Override
	public RandomGenerator random() {
		return this.random;
	}

	/** The thread may be preempted before. */
	@Override
	public void proceed(Runnable rest) {
		if (this.closed || !this.random.isOneOf(8)) {
			rest.run();
		}
		else {
			this.world.scheduler().after(this.machine, this.random.nextLong(2_000_000), rest);
		}
	}

	@Override
	public Workers workers(String name, int most) {
		if (most > 1) {
			return workers((task) -> this.world.scheduler()
				.after(this.machine, this.random.nextLong(this.random.isOneOf(16) ? 3_000_000 : 60_000), task));
		}
		Scheduler.Line line = newLine();
		return workers((task) -> run(line, 1_000_000, () -> {
			try {
				task.run();
			}
			finally {
				this.connecting = false;
			}
		}));
	}

	private static Workers workers(Executor executor) {
		return new Workers() {

			@Override
			public void execute(Runnable task) {
				executor.execute(task);
			}

			@Override
			public void close() {
				// has no threads
			}

		};
	}

	private Scheduler.Line newLine() {
		Scheduler.Line line = this.world.scheduler().new Line(this.machine, Scheduler.Kind.THREAD);
		this.serial.add(line);
		return line;
	}

	/** A thread that is closing waits for others, which run meanwhile. */
	private void run(Scheduler.Line line, long mostDelayNanos, Runnable task) {
		if (this.closed) {
			task.run();
		}
		else {
			line.add(this.random.nextLong(mostDelayNanos), task);
		}
	}

	@Override
	public void close() {
		this.timersEnded = true;
	}

	// ---- the client library

	private SimulatedSource newSource(int server) {
		this.connecting = true;
		return new Source(server, newLine());
	}

	private <V> StatefulRedisPubSubConnection<String, V> newLink(int server, RedisCodec<String, V> codec,
			boolean pubSub) {
		Link<V> link = new Link<>(this.world, this, server, codec, pubSub);
		this.links.add(link);
		return link.connection();
	}

	ClientResources resources() {
		EventExecutorGroup executors = (EventExecutorGroup) Proxy.newProxyInstance(Jvm.class.getClassLoader(),
				new Class<?>[] { EventExecutorGroup.class }, (proxy, method, arguments) -> switch (method.getName()) {
					case "isShutdown", "isShuttingDown" -> false;
					case "schedule" -> {
						long delay = ((TimeUnit) arguments[2]).toNanos((Long) arguments[1]);
						this.world.scheduler().after(this.machine, delay, (Runnable) arguments[0]);
						yield null;
					}
					default -> throw this.world.notSimulated(method.toString());
				});
		return (ClientResources) Proxy.newProxyInstance(Jvm.class.getClassLoader(),
				new Class<?>[] { ClientResources.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("eventExecutorGroup")) {
						return executors;
					}
					throw this.world.notSimulated(method.toString());
				});
	}

	/** A timer, which waits on if the clock stood still meanwhile. */
	private final class Due implements Timer {

		private final long atNanos;

		private final Runnable task;

		private Scheduler.Step step;

		Due(long atNanos, Runnable task) {
			this.atNanos = atNanos;
			this.task = task;
			this.step = begin();
		}

		private Scheduler.Step begin() {
			return Jvm.this.world.scheduler().at(Jvm.this.machine, this.atNanos + Jvm.this.behindNanos, this::run);
		}

		private void run() {
			if (Jvm.this.world.scheduler().nowNanos() < this.atNanos + Jvm.this.behindNanos) {
				this.step = begin();
			}
			else if (!Jvm.this.timersEnded) {
				this.task.run();
			}
		}

		@Override
		public void cancel() {
			this.step.cancel();
		}

	}

	/** Connections that a client has opened. */
	private final class Source extends SimulatedSource {

		private final int server;

		private final Scheduler.Line thread;

		Source(int server, Scheduler.Line thread) {
			this.server = server;
			this.thread = thread;
		}

		@Override
		public String users() {
			return "locks";
		}

		@Override
		public String address() {
			return "redis-" + this.server + ":6379";
		}

		@Override
		public <V> StatefulRedisConnection<String, V> connect(RedisCodec<String, V> codec) {
			return newLink(this.server, codec, false);
		}

		@Override
		public <V> CompletionStage<StatefulRedisConnection<String, V>> connectAsync(RedisCodec<String, V> codec) {
			CompletableFuture<StatefulRedisConnection<String, V>> connected = new CompletableFuture<>();
			schedule(() -> {
				try {
					connected.complete(connect(codec));
				}
				catch (RedisException ex) {
					connected.completeExceptionally(ex);
				}
			}, 1_000_000);
			return connected;
		}

		@Override
		public <V> StatefulRedisPubSubConnection<String, V> connectPubSub(RedisCodec<String, V> codec) {
			return newLink(this.server, codec, true);
		}

		@Override
		public Executor connectionThread() {
			return (task) -> {
				if (Jvm.this.connecting) { // which waits for this thread
					task.run();
				}
				else {
					run(this.thread, 20_000, task);
				}
			};
		}

		@Override
		public long nanoTime() {
			return Jvm.this.nanoTime();
		}

		@Override
		public void schedule(Runnable task, long delayNanos) {
			Jvm.this.world.scheduler().after(Jvm.this.machine, delayNanos, task);
		}

		@Override
		public void close() {
			// the connections are closed one by one
		}

	}

}
