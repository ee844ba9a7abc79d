package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInterceptor;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheListener;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.FirstConnection;
import io.github.lockboot.cache.codec.Jackson2;
import io.github.lockboot.cache.codec.ValueCodec;
import io.github.lockboot.cache.protocol.CacheKeys;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.transaction.Transactions;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;
import io.github.lockboot.redis.connection.ConnectionSettings;
import io.github.lockboot.redis.connection.Connections;

/**
 * Templates on a server, counters of their events, and callers in threads.
 */
final class CacheFixture implements AutoCloseable, CacheListener {

	/** A busy machine must not trip the breaker. */
	static final Duration PATIENT = Duration.ofSeconds(30);

	/** The default of an application. */
	static final Duration BRISK = Duration.ofMillis(250);

	static final CacheSettings DEFAULTS = CacheSettings.defaults()
		.withJitter(0)
		.withWaitTimeout(Duration.ofSeconds(20));

	static final CacheSpec<String> PRODUCT = CacheSpec.of("product", String.class);

	private final List<CacheTemplate> templates = new ArrayList<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Map<CacheEvent, AtomicLong> events = new ConcurrentHashMap<>();

	/** Counts the loads of {@link #load()}. */
	final AtomicInteger loads = new AtomicInteger();

	private final List<String> pauses = new CopyOnWriteArrayList<>();

	private final ConnectionSettings application;

	/** Present if there is only one. */
	private final @Nullable RedisServer server;

	CacheFixture(RedisServer redis) {
		this(ConnectionSettings.of(Applications.of(redis)), redis);
	}

	CacheFixture(RedisCluster cluster) {
		this(Applications.of(cluster));
	}

	CacheFixture(RedisProxy network) {
		this(Applications.at(network.address().split(":")[0], Integer.parseInt(network.address().split(":")[1])));
	}

	CacheFixture(LettuceConnectionFactory application) {
		this(ConnectionSettings.of(application));
	}

	CacheFixture(ConnectionSettings application) {
		this(application, null);
	}

	private CacheFixture(ConnectionSettings application, @Nullable RedisServer server) {
		this.application = application;
		this.server = server;
	}

	CacheTemplate template() {
		return template(PATIENT);
	}

	CacheTemplate template(Duration commandTimeout) {
		return template(newStore(commandTimeout), Transactions.NONE, ValueCodec.json());
	}

	/**
	 * A template whose calls of the store are intercepted, by the first one outermost.
	 */
	CacheTemplate intercepted(MethodInterceptor... interceptors) {
		ProxyFactory store = new ProxyFactory();
		store.setTarget(newStore(PATIENT));
		store.setProxyTargetClass(true);
		Stream.of(interceptors).forEach(store::addAdvice);
		return template((CacheStore) store.getProxy(), Transactions.NONE, ValueCodec.json());
	}

	/** A warm template that notes the pauses in ms with which it releases leases. */
	CacheTemplate notingPauses(List<Object> pauses) {
		return warm(intercepted((call) -> {
			if (call.getMethod().getName().equals("abandon")) {
				pauses.add(call.getArguments()[2]);
			}
			return call.proceed();
		}));
	}

	CacheTemplate template(MonotonicClock clock) {
		return template(newStore(PATIENT, clock), Transactions.NONE, ValueCodec.json());
	}

	CacheTemplate template(Transactions transactions) {
		return template(newStore(PATIENT), transactions, ValueCodec.json());
	}

	/** A template that writes as in Spring Boot 3, warm. */
	CacheTemplate writingByJackson2() {
		return warm(template(newStore(PATIENT), Transactions.NONE, Jackson2.codec()));
	}

	/** A template whose clock does not advance, so that it reads no epoch by itself. */
	CacheTemplate timeless() {
		return template(new StoppedClock());
	}

	/** A template whose callers wait little longer than three seconds for others. */
	CacheTemplate hasty() {
		return warm(template(Duration.ofSeconds(1)));
	}

	/** A connection that opens slowly must not look like a failing Redis. */
	CacheTemplate warmTemplate() {
		return warm(template());
	}

	/**
	 * Use a template once successfully, because Redis is emptied after the constructor.
	 */
	static CacheTemplate warm(CacheTemplate template) {
		FirstConnection.await(template, PRODUCT);
		return template;
	}

	private CacheTemplate template(CacheStore store, Transactions transactions, ValueCodec codec) {
		return template(store, transactions, codec, new CompletableFuture<>().defaultExecutor(),
				UnaryOperator.identity());
	}

	/** A template with threads of the application. */
	CacheTemplate template(Executor asynchronous, UnaryOperator<Runnable> background) {
		return template(newStore(PATIENT), Transactions.NONE, ValueCodec.json(), asynchronous, background);
	}

	private CacheTemplate template(CacheStore store, Transactions transactions, ValueCodec codec, Executor asynchronous,
			UnaryOperator<Runnable> background) {
		CacheTemplate template = new CacheTemplate(store, (name) -> DEFAULTS, codec, transactions, List.of(this),
				asynchronous, AsyncThreads.results(), background);
		this.templates.add(template);
		return template;
	}

	private CacheStore newStore(Duration commandTimeout) {
		return newStore(commandTimeout, new SystemClock("cache-timer"));
	}

	private CacheStore newStore(Duration commandTimeout, MonotonicClock clock) {
		return new CacheStore(
				(scripts) -> Connections.connectForCache(this.application, null, Duration.ofSeconds(1), scripts),
				HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()), new CacheKeys("cache:"),
				commandTimeout, Duration.ofSeconds(30), clock);
	}

	@Override
	public void onEvent(String cacheName, CacheEvent event) {
		this.events.computeIfAbsent(event, (key) -> new AtomicLong()).incrementAndGet();
	}

	@Override
	public void onRedisPaused() {
		this.pauses.add("paused");
	}

	@Override
	public void onRedisResumed() {
		this.pauses.add("resumed");
	}

	List<String> pauses() {
		return this.pauses;
	}

	long count(CacheEvent event) {
		AtomicLong count = this.events.get(event);
		return (count != null) ? count.get() : 0;
	}

	String load() {
		return "value " + this.loads.incrementAndGet();
	}

	/** Start a load that runs until the test ends it. */
	HeldLoad start(CacheTemplate template, CacheSpec<String> spec, Object key, @Nullable String value) {
		HeldLoad load = new HeldLoad(value);
		load.startIn(async(() -> template.get(spec, key, load)));
		return load;
	}

	/** Read an entry until the template serves its own copy. */
	<T> void awaitCopy(CacheTemplate template, CacheSpec<T> spec, Object key, T value) {
		Awaitility.await().atMost(Duration.ofSeconds(40)).until(() -> {
			template.get(spec, key, () -> value);
			long before = count(CacheEvent.LOCAL_HIT);
			template.get(spec, key, () -> value);
			return count(CacheEvent.LOCAL_HIT) > before;
		});
	}

	<T> Future<T> async(Callable<T> task) {
		return this.threads.submit(task);
	}

	/** Run a task in several threads at once. */
	<T> List<T> inThreads(int count, Function<Integer, T> task) {
		List<Future<T>> futures = IntStream.range(0, count).mapToObj((i) -> async(() -> task.apply(i))).toList();
		return futures.stream().map(CacheFixture::join).toList();
	}

	static <T> T join(Future<T> future) {
		try {
			return future.get(30, TimeUnit.SECONDS);
		}
		catch (ExecutionException | TimeoutException | InterruptedException ex) {
			throw new AssertionError("A caller has failed", ex);
		}
	}

	/** Return the key of an entry of {@link #PRODUCT}. */
	String entryKey(Object key) {
		return "cache:product:" + command("GET", "cache:product:epoch") + ":{product:" + key + "}";
	}

	/** Return for how long Redis keeps an entry of {@link #PRODUCT}. */
	long remainingMillis(Object key) {
		return (Long) Objects.requireNonNull(command("PTTL", entryKey(key)));
	}

	private @Nullable Object command(String... command) {
		return Objects.requireNonNull(this.server).command(command);
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
		this.templates.forEach(CacheTemplate::close);
	}

	/** Its timers run. */
	private static final class StoppedClock implements MonotonicClock {

		private final MonotonicClock timers = new SystemClock("cache-timer");

		private final long nanos = this.timers.nanoTime();

		@Override
		public long nanoTime() {
			return this.nanos;
		}

		@Override
		public Timer schedule(long atNanos, Runnable task) {
			return this.timers.schedule(Duration.ofNanos(atNanos - this.nanos), task);
		}

		@Override
		public void close() {
			this.timers.close();
		}

	}

}
