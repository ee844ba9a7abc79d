package io.github.lockboot.aop.lock;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.awaitility.pollinterval.FibonacciPollInterval;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import org.springframework.beans.BeanUtils;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.function.Tuple2;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.ReactiveLockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.OnNotAcquired;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fixture.NewThreadExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Each asynchronous way to acquire a lock, ended in each way: afterwards nothing is held,
 * waits or is renewed, and each acquisition that was reported has one end.
 */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class AsynchronousEndsContract {

	private static final int ROUNDS = 2;

	private static final LockRequest REQUEST = LockRequest.of("a").waitTime(Duration.ofSeconds(30));

	private static final LockRequest KEPT = REQUEST.minHoldTime(Duration.ofHours(1));

	private static final Map<String, LockRequest> KINDS = Map.of("exclusive", REQUEST, "shared", REQUEST.shared(),
			"permit", REQUEST.permits(1), "several", REQUEST.names(List.of("a", "b")), "fair", REQUEST.fair(true),
			"kept", KEPT, "several kept", KEPT.names(List.of("a", "b")));

	/** Those whose caller receives a handle, with which it may do anything. */
	private static final Set<String> HANDLES = Set.of("acquire", "tryAcquire", "usingWhen", "acquireAsync",
			"tryAcquireAsync");

	private static final Map<String, BiFunction<Calls, LockRequest, Mono<?>>> PUBLISHERS = Map.of("acquire",
			(calls, request) -> calls.reactive.acquire(request), "tryAcquire",
			(calls, request) -> calls.reactive.tryAcquire(request), "execute",
			(calls, request) -> calls.reactive.execute(request, calls.begin(Mono.just("done"))), "execute a Flux",
			(calls, request) -> calls.reactive.execute(request, calls.begin(Flux.range(1, 3))).next(), "nested execute",
			(calls, request) -> calls.reactive.execute(request,
					calls.begin(calls.reactive.execute(request, Mono.just("done")))),
			"tryExecute", (calls, request) -> calls.reactive.tryExecute(request, calls.begin(Mono.just("done"))),
			"usingWhen",
			(calls, request) -> Mono.usingWhen(calls.reactive.acquire(request), (lock) -> Mono.just("done"),
					(lock) -> Mono.fromCompletionStage(lock.closeAsync())),
			"method with a Mono", (calls, request) -> calls.methods(request).mono(), "method with a Flux",
			(calls, request) -> calls.methods(request).flux().next());

	private static final Map<String, BiFunction<Calls, LockRequest, CompletionStage<?>>> STAGES = Map.of("acquireAsync",
			(calls, request) -> calls.locks.acquireAsync(request), "tryAcquireAsync",
			(calls, request) -> calls.locks.tryAcquireAsync(request), "method with a stage",
			(calls, request) -> calls.methods(request).stage());

	/** How a subscription ends around the time at which the lock arrives. */
	private static final Map<String, BiConsumer<Mono<?>, Duration>> PUBLISHER_ENDS = Map
		.of("cancel at the subscription", (call, delay) -> call.subscribe(new CancelAtOnce()), "cancel",
				(call, delay) -> after(
						delay, call.subscribe(AsynchronousEndsContract::use, AsynchronousEndsContract::none)),
				"timeout",
				(call, delay) -> call.timeout(delay)
					.subscribe(AsynchronousEndsContract::use, AsynchronousEndsContract::none),
				"another signal first",
				(call, delay) -> Mono.firstWithSignal(call, Mono.delay(delay)).subscribe(AsynchronousEndsContract::use),
				"zip with an error",
				(call, delay) -> Mono.zip(call, Mono.delay(delay).then(Mono.error(new IllegalStateException())))
					.subscribe((both) -> use(((Tuple2<?, ?>) both).getT1()), AsynchronousEndsContract::none),
				"cancelled future", (call, delay) -> cancel(call.toFuture(), delay), "timeout behind another thread",
				(call, delay) -> call.publishOn(Schedulers.single())
					.timeout(delay)
					.subscribe(AsynchronousEndsContract::use, AsynchronousEndsContract::none));

	private static final Map<String, BiConsumer<CompletableFuture<Object>, Duration>> STAGE_ENDS = Map.of("cancel",
			AsynchronousEndsContract::cancel, "orTimeout",
			(call, delay) -> call.orTimeout(delay.toNanos(), TimeUnit.NANOSECONDS)
				.thenAccept(AsynchronousEndsContract::use),
			"completeOnTimeout",
			(call, delay) -> call.completeOnTimeout("late", delay.toNanos(), TimeUnit.NANOSECONDS)
				.thenAccept(AsynchronousEndsContract::use),
			"cancelled dependent",
			(call, delay) -> cancelDependent(call.thenAccept(AsynchronousEndsContract::use), delay));

	private final Balance balance = new Balance();

	private final Methods target = new Methods(new AtomicInteger());

	/** Whether the locks of the calls have a minimum hold time. */
	private boolean kept;

	private LockTemplate locks;

	private Calls calls;

	/** Create a template with locks that no other test uses. */
	protected abstract LockTemplate template(LockDefaults defaults, List<LockListener> listeners);

	protected Duration leaseTime() {
		return Duration.ofSeconds(1);
	}

	/** Of how many cells one is tried: all of them, or fewer where each takes longer. */
	protected int oneOf() {
		return 1;
	}

	/** Whether no call requests its lock later, when the next test keeps other locks. */
	protected boolean requestsAtOnce() {
		return true;
	}

	/** The ways to acquire a lock that return a publisher. */
	protected Map<String, BiFunction<Calls, LockRequest, Mono<?>>> publisherEntries() {
		return PUBLISHERS;
	}

	/** The ways to acquire a lock that return a future. */
	protected Map<String, BiFunction<Calls, LockRequest, CompletionStage<?>>> stageEntries() {
		return STAGES;
	}

	@BeforeAll
	void connect() {
		LockDefaults defaults = LockDefaults.defaults().withLeaseTime(leaseTime());
		this.locks = template(defaults, List.of(this.balance));
		this.calls = new Calls(this.locks, ReactiveLockOperations.of(this.locks, OnLost.LOG),
				methods(NewThreadExecutor::run, null), methods(NewThreadExecutor::run, KEPT.minHoldTime()),
				this.target.runs);
		this.locks.acquire(REQUEST).close();
	}

	private Methods methods(Executor executor, @Nullable Duration minHoldTime) {
		LockDefaults defaults = LockDefaults.defaults().withLeaseTime(leaseTime());
		return new LockedProxies(this.locks, executor)
			.defaults("a", new LockedMethodDefaults(defaults, false, true, minHoldTime, null, OnNotAcquired.THROW))
			.proxy(this.target);
	}

	@AfterAll
	void close() {
		this.locks.close();
	}

	@BeforeEach
	void forgetRuns() {
		this.target.runs.set(0);
		this.kept = false;
	}

	/** Not others, which late calls of a test may hold. */
	@AfterEach
	void freeKeptLocks() {
		if (this.kept) {
			List.of("a", "b").forEach(this.locks::forceRelease);
		}
	}

	Stream<Arguments> publishers() {
		return cells(publisherEntries(), PUBLISHER_ENDS);
	}

	Stream<Arguments> stages() {
		return cells(stageEntries(), STAGE_ENDS);
	}

	private Stream<Arguments> cells(Map<String, ?> entries, Map<String, ?> ends) {
		AtomicInteger number = new AtomicInteger();
		return named(entries)
			.flatMap((entry) -> named(KINDS)
				.filter((kind) -> !entry.getName().startsWith("method") || kind.getPayload() == REQUEST
						|| kind.getPayload() == KEPT)
				.filter((kind) -> kind.getPayload().minHoldTime() == null
						|| (requestsAtOnce() && !HANDLES.contains(entry.getName())))
				.flatMap((kind) -> named(ends).map((end) -> Arguments.of(entry, kind, end))))
			.filter((cell) -> number.getAndIncrement() % oneOf() == 0);
	}

	private static <T> Stream<Named<T>> named(Map<String, T> values) {
		return values.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByKey())
			.map((value) -> Named.of(value.getKey(), value.getValue()));
	}

	@ParameterizedTest(name = "{0}, {1}, {2}")
	@MethodSource("publishers")
	void nothingIsLeftOfASubscription(BiFunction<Calls, LockRequest, Mono<?>> entry, LockRequest request,
			BiConsumer<Mono<?>, Duration> end) {
		this.kept = request.minHoldTime() != null;
		endAroundTheGrant((delay) -> end.accept(entry.apply(this.calls, request), delay));
	}

	@ParameterizedTest(name = "{0}, {1}, {2}")
	@MethodSource("stages")
	@SuppressWarnings("unchecked")
	void nothingIsLeftOfAStage(BiFunction<Calls, LockRequest, CompletionStage<?>> entry, LockRequest request,
			BiConsumer<CompletableFuture<Object>, Duration> end) {
		this.kept = request.minHoldTime() != null;
		endAroundTheGrant((delay) -> end.accept((CompletableFuture<Object>) entry.apply(this.calls, request), delay));
	}

	/** End calls before their locks arrive, at about that time, and later. */
	private void endAroundTheGrant(Consumer<Duration> call) {
		for (int i = 0; i < ROUNDS; i++) {
			this.target.runs.set(0);
			LockHandle first = (i == 0) ? null : this.locks.acquire(REQUEST);
			call.accept(Duration.ofNanos(1 + ThreadLocalRandom.current().nextInt(2_000_000)));
			if (first != null) {
				first.close();
			}
			awaitNothingLeft();
		}
	}

	@ParameterizedTest
	@MethodSource("onePublisherOfEach")
	void valueThatWaitsForItsThreadIsNotLost(BiFunction<Calls, LockRequest, Mono<?>> entry) {
		CountDownLatch busy = new CountDownLatch(1);
		for (int i = 0; i < Schedulers.DEFAULT_POOL_SIZE; i++) {
			Schedulers.parallel().schedule(() -> awaitUninterruptibly(busy));
		}
		Disposable call = entry.apply(this.calls, KEPT).subscribe();
		await().until(() -> !this.locks.activity().held().isEmpty());
		call.dispose();
		await().until(() -> this.locks.activity().held().isEmpty());
		busy.countDown();
		awaitNothingLeft();
	}

	Stream<Arguments> onePublisherOfEach() {
		return named(publisherEntries()).map(Arguments::of);
	}

	@Test
	void releaseWaitsForASectionThatIsStarting() {
		CountDownLatch end = new CountDownLatch(1);
		AtomicBoolean started = new AtomicBoolean();
		Disposable call = this.calls.reactive.execute(REQUEST, Mono.fromRunnable(() -> {
			started.set(true);
			awaitUninterruptibly(end);
		})).subscribe();
		await().untilTrue(started);
		call.dispose();
		assertThat(this.locks.tryAcquire(REQUEST.waitTime(Duration.ofMillis(50)))).isNull();
		end.countDown();
		awaitNothingLeft();
	}

	@Test
	void cancelledSectionDoesNotStart() {
		AtomicBoolean started = new AtomicBoolean();
		BaseSubscriber<Object> subscriber = new BaseSubscriber<>() {
		};
		LockHandle held = this.locks.acquire(REQUEST);
		LockHandle cancelling = (LockHandle) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { LockHandle.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("ensureHeld")) {
						subscriber.cancel();
					}
					return method.invoke(held, arguments);
				});
		LockOperations operations = (LockOperations) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { LockOperations.class },
				(proxy, method, arguments) -> CompletableFuture.completedFuture(cancelling));
		ReactiveLockOperations.of(operations, OnLost.LOG)
			.execute(REQUEST, Mono.defer(() -> Mono.just(started.getAndSet(true))).cast(Object.class))
			.subscribe(subscriber);
		awaitNothingLeft();
		assertThat(started).isFalse();
	}

	@Test
	void sectionThatDoesNotExistLeavesNoHold() {
		assertThatThrownBy(() -> this.calls.reactive.execute(REQUEST, (Mono<?>) missing()).block())
			.isInstanceOf(NullPointerException.class);
		awaitNothingLeft();
	}

	@SuppressWarnings("NullAway") // on purpose
	private static Mono<?> missing() {
		return null;
	}

	@ParameterizedTest
	@ValueSource(classes = { RejectedExecutionException.class, IllegalStateException.class })
	void methodWhoseExecutorRefusesToContinueFailsAndLeavesNoHold(Class<RuntimeException> refusal) {
		Methods refused = methods((task) -> {
			throw BeanUtils.instantiateClass(refusal);
		}, KEPT.minHoldTime());
		CompletableFuture<String> call = refused.stage();
		CompletableFuture<String> thread = call.handle((value, failure) -> Thread.currentThread().getName());
		assertThat(call).failsWithin(Duration.ofSeconds(30)).withThrowableThat().withCauseInstanceOf(refusal);
		// of a server, which other locks would wait for
		assertThat(thread.join()).doesNotStartWith("lettuce-");
		awaitNothingLeft();
	}

	@Test
	void methodWhoseCallerGaveUpWaitingDoesNotRun() {
		LockHandle first = this.locks.acquire(REQUEST);
		CompletableFuture<String> call = this.calls.methods.stage();
		call.completeExceptionally(new IllegalStateException("too late"));
		await().until(() -> this.locks.activity().waiting().isEmpty());
		first.close();
		awaitNothingLeft();
		assertThat(this.target.runs).hasValue(0);
	}

	@Test
	void handleThatASubscriberHasTakenStaysHeldAfterACancellation() {
		LockHandle held = Objects.requireNonNull(this.calls.reactive.acquire(REQUEST).flux().take(1).blockFirst());
		System.gc();
		await().during(Duration.ofMillis(800)).until(held::isHeld);
		held.close();
		awaitNothingLeft();
	}

	/** A lock whose section has begun stays held for its minimum hold time. */
	private void awaitNothingLeft() {
		await().pollInterval(FibonacciPollInterval.fibonacci()).atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
			if (!this.locks.activity().held().isEmpty()) {
				System.gc(); // the handles that other operators have dropped
			}
			assertThat(this.locks.activity().held()).isEmpty();
			assertThat(this.locks.activity().waiting()).isEmpty();
			assertThat(this.balance.open()).isEmpty();
			if (this.kept && this.target.runs.get() > 0) {
				List.of("a", "b").forEach(this.locks::forceRelease);
			}
			assertThat(this.locks.inspect("a")).satisfies((state) -> assertThat(state.isHeld()).isFalse());
		});
	}

	private static void use(Object value) {
		if (value instanceof LockHandle lock) {
			lock.closeAsync();
		}
	}

	private static void none(Throwable failure) {
	}

	private static void after(Duration delay, Disposable subscription) {
		Mono.delay(delay, Schedulers.boundedElastic()).subscribe((tick) -> subscription.dispose());
	}

	private static <T> void cancel(CompletableFuture<T> call, Duration delay) {
		call.thenAccept(AsynchronousEndsContract::use);
		Mono.delay(delay, Schedulers.boundedElastic()).subscribe((tick) -> call.cancel(false));
	}

	private static void cancelDependent(CompletableFuture<?> dependent, Duration delay) {
		Mono.delay(delay, Schedulers.boundedElastic()).subscribe((tick) -> dependent.cancel(false));
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		while (latch.getCount() > 0) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				// of the worker, by the cancellation
			}
		}
	}

	public record Calls(LockTemplate locks, ReactiveLockOperations reactive, Methods methods, Methods kept,
			AtomicInteger runs) {

		Methods methods(LockRequest request) {
			return (request == KEPT) ? this.kept : this.methods;
		}

		/** A section that notes when it begins, which no cancellation can precede. */
		private <T> Mono<T> begin(Mono<T> section) {
			return Mono.defer(() -> begun(section));
		}

		private <T> Flux<T> begin(Flux<T> section) {
			return Flux.defer(() -> begun(section));
		}

		private <P> P begun(P section) {
			this.runs.incrementAndGet();
			return section;
		}

	}

	static class Methods {

		final AtomicInteger runs;

		Methods(AtomicInteger runs) {
			this.runs = runs;
		}

		@DistributedLock(name = "a", waitTime = "30s")
		public Mono<String> mono() {
			this.runs.incrementAndGet();
			return Mono.just("done");
		}

		@DistributedLock(name = "a", waitTime = "30s")
		public Flux<String> flux() {
			this.runs.incrementAndGet();
			return Flux.just("one", "two");
		}

		@DistributedLock(name = "a", waitTime = "30s")
		public CompletableFuture<String> stage() {
			this.runs.incrementAndGet();
			return CompletableFuture.completedFuture("done");
		}

	}

	private static final class CancelAtOnce extends BaseSubscriber<Object> {

		@Override
		protected void hookOnSubscribe(Subscription subscription) {
			request(1);
			cancel();
		}

	}

	/** Counts the holds that were reported and have no end yet. */
	private static final class Balance implements LockListener {

		private final AtomicInteger requested = new AtomicInteger();

		private final AtomicInteger refused = new AtomicInteger();

		private final AtomicInteger acquired = new AtomicInteger();

		private final AtomicInteger ended = new AtomicInteger();

		@Override
		public LockListener onRequested(LockRequest request) {
			this.requested.incrementAndGet();
			return this;
		}

		@Override
		public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
			this.acquired.incrementAndGet();
		}

		@Override
		public void onNotAcquired(LockRequest request, LockException reason, Duration waited) {
			this.refused.incrementAndGet();
		}

		@Override
		public void onReleased(LockRequest request, LockHandle handle, Duration held) {
			this.ended.incrementAndGet();
		}

		@Override
		public void onLost(LockRequest request, LockHandle handle, LockLostException reason) {
			this.ended.incrementAndGet();
		}

		/** Return how many calls and holds have no end, if there are any. */
		String open() {
			int calls = this.requested.get() - this.acquired.get() - this.refused.get();
			int holds = this.acquired.get() - this.ended.get();
			return (calls == 0 && holds == 0) ? "" : calls + " calls and " + holds + " holds have no end";
		}

	}

}
