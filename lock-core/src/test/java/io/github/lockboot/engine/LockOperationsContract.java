package io.github.lockboot.engine;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockState;
import io.github.lockboot.OnLost;
import io.github.lockboot.engine.store.StoreTraits;
import io.github.lockboot.fixture.NoRerun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * The contract of {@link LockOperations}.
 */
@Timeout(60)
public abstract class LockOperationsContract extends TwoInstances {

	private static final String REASON = "Orders.pay \u8a02\u55ae";

	private final LockRequest request = LockRequest.of("contract:" + UUID.randomUUID())
		.waitTime(Duration.ofSeconds(20));

	private final LockRequest once = this.request.waitTime(Duration.ZERO);

	@ParameterizedTest
	@CsvSource({ "false, 16, 50", "true, 4, 20" })
	@NoRerun
	void sectionsOfManyThreadsAndInstancesNeverOverlap(boolean fair, int threads, int sections) throws Exception {
		int[] counter = new int[1];
		List<Future<?>> work = new ArrayList<>();
		for (int i = 0; i < threads; i++) {
			LockOperations locks = (i % 2 == 0) ? this.locks : this.otherLocks;
			work.add(this.threads.submit(() -> {
				for (int j = 0; j < sections; j++) {
					locks.execute(this.request.fair(fair), () -> counter[0]++);
				}
			}));
		}
		for (Future<?> each : work) {
			each.get();
		}
		assertThat(counter[0]).isEqualTo(threads * sections);
	}

	/**
	 * In {@link CompletableFuture#get()} a worker of a pool runs other tasks on its own
	 * stack, where their sections would be taken for a part of the section that waits.
	 */
	@ParameterizedTest
	@EnumSource
	void aWorkerThatWaitsRunsNoOtherSectionOnItsStack(BlockingCall call) throws Exception {
		Assumptions.assumeTrue(this.locks.store().traits().kinds().containsAll(call.kinds));
		LockRequest inner = this.request.name(this.request.name() + ":inner");
		List<LockHandle> busy = call.occupied.stream()
			.map((kind) -> this.otherLocks.acquire(kind.apply(inner)))
			.toList();
		ForkJoinPool pool = new ForkJoinPool(1);
		try {
			AtomicInteger inside = new AtomicInteger();
			CompletableFuture<Integer> seen = new CompletableFuture<>();
			CompletableFuture<Void> section = CompletableFuture.runAsync(() -> this.locks.execute(this.request, () -> {
				inside.incrementAndGet();
				CompletableFuture.runAsync(() -> this.locks.execute(this.request, () -> seen.complete(inside.get())),
						pool);
				call.call.accept(this.locks, inner);
				inside.decrementAndGet();
			}), pool);
			Awaitility.await()
				.until(() -> this.locks.activity()
					.waiting()
					.stream()
					.anyMatch((waiting) -> waiting.name().startsWith(inner.name())));
			busy.forEach(LockHandle::close);
			section.get(30, TimeUnit.SECONDS);
			assertThat(seen.get(30, TimeUnit.SECONDS)).isZero();
		}
		finally {
			pool.shutdownNow();
		}
	}

	enum BlockingCall {

		ACQUIRE((locks, request) -> locks.acquire(request).close()),

		TRY_ACQUIRE((locks, request) -> {
			try (LockHandle hold = locks.tryAcquire(request)) {
				assertThat(hold).isNotNull();
			}
		}),

		EXECUTE((locks, request) -> locks.execute(request, () -> {
		})),

		TRY_EXECUTE((locks, request) -> assertThat(locks.tryExecute(request, () -> {
		})).isTrue()),

		LOCK((locks, request) -> {
			Lock lock = locks.asLock(request);
			lock.lock();
			lock.unlock();
		}),

		SEVERAL((locks, request) -> locks.acquire(request.names(List.of(request.name(), request.name() + ":second")))
			.close()),

		SHARED((locks, request) -> locks.acquire(request.shared()).close(), StoreTraits.Kind.SHARED,
				(request) -> request),

		PERMIT((locks, request) -> locks.acquire(request.permits(2)).close(), StoreTraits.Kind.PERMITS,
				(request) -> request.permits(2), (request) -> request.permits(2));

		final BiConsumer<LockOperations, LockRequest> call;

		private final Set<StoreTraits.Kind> kinds;

		private final List<UnaryOperator<LockRequest>> occupied;

		BlockingCall(BiConsumer<LockOperations, LockRequest> call) {
			this.call = call;
			this.kinds = Set.of();
			this.occupied = List.of((request) -> request);
		}

		@SafeVarargs
		@SuppressWarnings("varargs") // only read
		BlockingCall(BiConsumer<LockOperations, LockRequest> call, StoreTraits.Kind kind,
				UnaryOperator<LockRequest>... occupied) {
			this.call = call;
			this.kinds = Set.of(kind);
			this.occupied = List.of(occupied);
		}

	}

	@Test
	void theLongestNameThatIsAllowedExcludesOthers() {
		LockRequest longest = this.once.name((this.request.name() + "\u4e2d".repeat(10_000)).substring(0, 10_000));
		LockHandle held = this.locks.acquire(longest);
		assertThat(this.otherLocks.tryAcquire(longest)).isNull();
		held.close();
	}

	@Test
	void fencingTokenOfASectionIsThatOfItsHold() {
		long before = this.locks.execute(this.request, () -> this.locks.fencingToken(this.request.name()));
		try (LockHandle handle = this.locks.acquire(this.request)) {
			assertThat(handle.fencingToken()).isGreaterThan(before);
		}
	}

	@Test
	void threadThatHoldsALockBySectionOrAsLockPassesTheCheck() {
		this.locks.execute(this.request, () -> this.locks.ensureHeld(this.request.name()));
		Lock lock = this.locks.asLock(this.request.name());
		lock.lock();
		try {
			this.locks.ensureHeld(this.request.name());
		}
		finally {
			lock.unlock();
		}
	}

	@Test
	void threadThatDoesNotHoldALockGetsAnException() {
		assertThatIllegalStateException().isThrownBy(() -> this.locks.ensureHeld(this.request.name()))
			.withMessageContaining(this.request.name());
		assertThatIllegalStateException().isThrownBy(() -> this.locks.fencingToken(this.request.name()))
			.withMessageContaining(this.request.name());
	}

	@Test
	void threadThatHasLostALockGetsAnException() {
		LockRequest brief = withFixedLease(this.request, Duration.ofMillis(100)).onLost(OnLost.LOG);
		this.locks.execute(brief,
				() -> Awaitility.await()
					.pollInSameThread()
					.atMost(Duration.ofSeconds(20))
					.untilAsserted(() -> assertThatExceptionOfType(LockLostException.class)
						.isThrownBy(() -> this.locks.ensureHeld(brief.name()))));
	}

	@Test
	void busyLockThrowsWithTimesAfterTheWaitTime() {
		try (LockHandle held = this.otherLocks.acquire(this.request)) {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.locks.acquire(this.request.waitTime(Duration.ofMillis(200))))
				.withMessageContaining(held.name())
				.satisfies((ex) -> assertThat(ex.waited()).isBetween(Duration.ofMillis(200), Duration.ofSeconds(5)))
				.satisfies((ex) -> assertThat(ex.remaining() != null).isEqualTo(isLeaseOfLock()));
		}
	}

	@Test
	void eachInstanceRefusesCallersBeyondItsLimit() {
		LockRequest limited = this.request.maxWaiting(1);
		LockHandle held = this.locks.acquire(this.request);
		List<CompletableFuture<Void>> waiting = Stream.of(this.locks, this.otherLocks)
			.map((locks) -> locks.acquireAsync(limited).thenCompose(LockHandle::closeAsync).toCompletableFuture())
			.toList();
		for (LockOperations locks : List.of(this.locks, this.otherLocks)) {
			assertRefused(() -> locks.acquire(limited));
			assertRefused(() -> locks.asLock(limited).lock());
			assertThat(locks.tryAcquire(limited)).isNull();
			assertThat(locks.tryAcquireAsync(limited).toCompletableFuture().join()).isNull();
			assertThat(locks.tryExecute(limited, () -> {
				throw new AssertionError("ran without the lock");
			})).isFalse();
		}
		assertThat(waiting).noneMatch(CompletableFuture::isDone);
		held.close();
		waiting.forEach(CompletableFuture::join);
	}

	@Test
	void sectionInsideASectionIsNeverRefused() {
		LockRequest limited = this.request.maxWaiting(1);
		CompletableFuture<Void> waiting = this.locks.execute(limited, () -> {
			CompletableFuture<Void> waiter = this.locks.acquireAsync(limited)
				.thenCompose(LockHandle::closeAsync)
				.toCompletableFuture();
			this.locks.execute(limited, () -> assertRefused(() -> this.locks.acquire(limited)));
			return waiter;
		});
		waiting.join();
	}

	@Test
	void waiterAcquiresTheLockWhenItIsReleased() throws Exception {
		LockHandle held = this.otherLocks.acquire(this.request);
		Future<LockHandle> waiting = this.threads.submit(() -> this.locks.acquire(this.request));
		held.close();
		assertThat(waiting.get().isHeld()).isTrue();
	}

	@Test
	void tokensGrow() {
		long last = 0;
		for (LockOperations locks : List.of(this.locks, this.otherLocks, this.otherLocks, this.locks)) {
			try (LockHandle handle = locks.acquire(this.request)) {
				assertThat(handle.fencingToken()).isGreaterThan(last);
				last = handle.fencingToken();
			}
		}
	}

	@Test
	void lockIsKeptBeyondItsLease() {
		LockRequest shortLease = withLease(this.request, Duration.ofMillis(1500));
		try (LockHandle handle = this.locks.acquire(shortLease)) {
			Awaitility.await()
				.during(Duration.ofMillis(2000))
				.atMost(Duration.ofSeconds(10))
				.until(() -> handle.isHeld() && this.otherLocks.tryAcquire(this.once) == null);
		}
	}

	@Test
	void handleMayBeClosedByAnyThreadAndTwice() throws Exception {
		LockHandle handle = this.locks.acquire(this.request);
		this.threads.submit(handle::close).get();
		handle.close();
		assertThat(handle.isHeld()).isFalse();
		assertThat(handle.remainingLease()).isZero();
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(handle::ensureHeld);
		try (LockHandle next = this.otherLocks.tryAcquire(this.once)) {
			assertThat(next).isNotNull();
		}
	}

	@Test
	void executeIsReentrant() {
		String result = this.locks.execute(this.request,
				() -> this.locks.execute(this.once, () -> this.locks.execute(this.request.name(), () -> "inner")));
		assertThat(result).isEqualTo("inner");
	}

	@Test
	void nestedSectionDoesNotReleaseTheLock() {
		this.locks.execute(this.request, () -> {
			assertThat(this.locks.tryExecute(this.once, () -> {
			})).isTrue();
			assertThat(tryElsewhere()).isFalse();
		});
		Awaitility.await().until(this::tryElsewhere);
	}

	@Test
	void acquireIsNotReentrant() {
		try (LockHandle first = this.locks.acquire(this.request)) {
			assertThat(this.locks.tryAcquire(this.once)).isNull();
			assertThat(first.isHeld()).isTrue();
		}
	}

	@Test
	void exceptionOfASectionIsThrownAndTheLockReleased() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.locks.execute(this.request, () -> {
			throw new IOException("from the section");
		}));
		Awaitility.await().until(this::tryElsewhere);
	}

	@Test
	void tryExecuteDoesNotRunWithoutTheLock() {
		try (LockHandle held = this.otherLocks.acquire(this.request)) {
			assertThat(this.locks.tryExecute(this.once, () -> {
				throw new AssertionError("ran without the lock");
			})).isFalse();
			assertThat(held.isHeld()).isTrue();
		}
	}

	@Test
	void interruptedWaiterLeavesAtOnceWithItsFlagSet() throws Exception {
		try (LockHandle held = this.otherLocks.acquire(this.request)) {
			CompletableFuture<Boolean> flag = new CompletableFuture<>();
			CountDownLatch started = new CountDownLatch(1);
			Thread waiter = new Thread(() -> {
				started.countDown();
				try {
					this.locks.acquire(this.request);
				}
				catch (LockInterruptedException ex) {
					flag.complete(Thread.currentThread().isInterrupted());
				}
			});
			waiter.start();
			started.await();
			waiter.interrupt();
			assertThat(flag.get(10, TimeUnit.SECONDS)).isTrue();
			assertThat(held.isHeld()).isTrue();
		}
		Awaitility.await().until(this::tryElsewhere);
	}

	@Test
	void holderIsNotifiedWhenItsLockIsReleasedByForce() throws Exception {
		try (LockHandle handle = this.locks.acquire(withLease(this.request, Duration.ofMillis(300)))) {
			CountDownLatch lost = new CountDownLatch(1);
			handle.onLost(lost::countDown);
			steal(handle.name());
			assertThat(lost.await(10, TimeUnit.SECONDS)).isTrue();
			assertThat(handle.isHeld()).isFalse();
			assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::ensureHeld);
		}
	}

	@Test
	void lostLockThrowsAtTheEndOfTheSectionIfRequested() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.locks.execute(this.request.onLost(OnLost.THROW), () -> steal(this.request.name())));
	}

	@Test
	void lostLockDoesNotReplaceAnExceptionOfTheSection() {
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> this.locks.execute(this.request.onLost(OnLost.THROW), () -> {
				steal(this.request.name());
				throw new IOException("from the section");
			}))
			.satisfies((ex) -> assertThat(ex.getSuppressed()).hasOnlyElementsOfType(LockLostException.class));
	}

	@Test
	void lostLockInterruptsItsSectionIfRequested() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> loseAndThen(() -> {
			new CountDownLatch(1).await();
			return "never";
		})).satisfies((ex) -> assertThat(ex.getSuppressed()).hasOnlyElementsOfType(InterruptedException.class));
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void lostLockInterruptsItsSectionWhileItWaitsForAnother() {
		try (LockHandle busy = this.otherLocks.acquire(LockRequest.of("another"))) {
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> loseAndThen(() -> this.locks
					.execute(LockRequest.of("another").waitTime(Duration.ofMinutes(1)), () -> "never")))
				.satisfies((ex) -> assertThat(ex.lockName()).isEqualTo(this.request.name()));
			assertThat(busy.isHeld()).isTrue();
		}
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void exceptionThatTheSectionThrowsForTheInterruptIsPropagated() {
		assertThatIllegalStateException().isThrownBy(() -> loseAndThen(() -> {
			try {
				return new CountDownLatch(1).await(1, TimeUnit.MINUTES);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		})).satisfies((ex) -> assertThat(ex.getSuppressed()).hasOnlyElementsOfType(LockLostException.class));
	}

	private void loseAndThen(Callable<?> rest) throws Exception {
		LockRequest interrupting = withLease(this.request, Duration.ofMillis(300)).onLost(OnLost.INTERRUPT);
		this.locks.<@Nullable Object, Exception>execute(interrupting, () -> {
			steal(this.request.name());
			return rest.call();
		});
	}

	@Test
	void nestedSectionDoesNotStartUnderALostLock() {
		LockRequest shortLease = withLease(this.request, Duration.ofMillis(300));
		this.locks.execute(shortLease, () -> {
			steal(this.request.name());
			Awaitility.await()
				.pollInSameThread()
				.untilAsserted(() -> assertThatExceptionOfType(LockLostException.class)
					.isThrownBy(() -> this.locks.execute(this.request, () -> "never")));
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void minHoldTimeKeepsTheLockHeldAndNoLongerEvenIfTheReleaseFails(boolean fails) {
		LockRequest kept = this.request.minHoldTime(Duration.ofMillis(400));
		onNext("release",
				(call) -> fails ? () -> CompletableFuture.failedStage(new IllegalStateException("no")) : call);
		long start = System.nanoTime();
		this.locks.execute(kept, () -> {
		});
		assertThat(tryElsewhere()).isFalse();
		this.otherLocks.acquire(this.request).close();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(380));
	}

	@ParameterizedTest
	@CsvSource({ "false, false", "false, true", "true, false", "true, true" })
	void aLockThatWasRequestedBeforeASuspensionIsRequestedAgain(boolean shared, boolean waits) {
		Assumptions.assumeTrue(!shared || this.locks.store().traits().kinds().contains(StoreTraits.Kind.SHARED));
		LockHandle busy = waits ? this.otherLocks.acquire(this.request) : null;
		onNext("acquire", (call) -> () -> ((CompletionStage<?>) Objects.requireNonNull(call.get()))
			.whenComplete((reply, failure) -> this.asleepMillis.addAndGet(600_000)));
		CompletableFuture<LockHandle> next = this.locks.acquireAsync(shared ? this.request.shared() : this.request)
			.toCompletableFuture();
		if (busy != null) {
			Awaitility.await().until(() -> isWaiting(this.locks));
			busy.close();
		}
		next.join().ensureHeld();
		assertThat(this.locks.acquirer().engine().attempts()).isGreaterThan(waits ? 0 : 1);
	}

	/** The wait ends before a waiter repeats its request by itself. */
	@Test
	void waiterOfAnotherInstanceGetsTheLockOnceAMinHoldTimeIsOver() {
		LockHandle kept = this.locks.acquire(this.request.minHoldTime(Duration.ofMillis(500)));
		CompletableFuture<LockHandle> next = this.otherLocks
			.acquireAsync(this.request.waitTime(Duration.ofMillis(1_600)))
			.toCompletableFuture();
		Awaitility.await().until(() -> isWaiting(this.otherLocks));
		kept.close();
		next.join().close();
	}

	@Test
	void waiterThatIsRefusedDuringAMinHoldTimeLearnsItsRest() {
		LockHandle kept = this.locks.acquire(this.request.minHoldTime(Duration.ofSeconds(5)));
		CompletableFuture<LockHandle> next = this.otherLocks
			.acquireAsync(this.request.waitTime(Duration.ofMillis(1_600)))
			.toCompletableFuture();
		Awaitility.await().until(() -> isWaiting(this.otherLocks));
		kept.close();
		assertThat(next).failsWithin(Duration.ofSeconds(10))
			.withThrowableOfType(java.util.concurrent.ExecutionException.class)
			.havingCause()
			.isInstanceOfSatisfying(LockNotAcquiredException.class, (refusal) -> {
				Duration remaining = refusal.remaining();
				assertThat((remaining != null) ? remaining : Duration.ZERO).isLessThan(Duration.ofSeconds(5));
			});
	}

	private boolean isWaiting(LockOperations locks) {
		return ((LockTemplate) locks).activity().waiting().size() == 1;
	}

	@Test
	void lockIsAcquiredWithoutBlockingAThread() {
		LockHandle first = this.locks.acquireAsync(this.request).toCompletableFuture().join();
		CompletableFuture<LockHandle> second = this.otherLocks.acquireAsync(this.request).toCompletableFuture();
		assertThat(second).isNotDone();
		first.closeAsync().toCompletableFuture().join();
		second.join().close();
	}

	@Test
	void busyLockEndsAnAsynchronousWait() {
		LockRequest shortWait = this.request.waitTime(Duration.ofMillis(400));
		try (LockHandle held = this.otherLocks.acquire(this.request)) {
			assertThat(this.locks.tryAcquireAsync(shortWait).toCompletableFuture().join()).isNull();
			assertThat(this.locks.acquireAsync(shortWait)).failsWithin(Duration.ofSeconds(10))
				.withThrowableOfType(java.util.concurrent.ExecutionException.class)
				.withCauseInstanceOf(LockNotAcquiredException.class);
			assertThat(held.isHeld()).isTrue();
		}
	}

	@Test
	void cancelledAsynchronousWaitLeavesNothingBehind() {
		CompletableFuture<LockHandle> waiting;
		try (LockHandle held = this.otherLocks.acquire(this.request)) {
			waiting = this.locks.acquireAsync(this.request).toCompletableFuture();
			waiting.cancel(false);
			assertThat(held.isHeld()).isTrue();
		}
		Awaitility.await().until(this::tryElsewhere);
	}

	@Test
	void lockOfAThreadIsReentrantTogetherWithSections() {
		Lock lock = this.locks.asLock(this.request.name());
		lock.lock();
		this.locks.execute(this.once, () -> assertThat(lock.tryLock()).isTrue());
		lock.unlock();
		assertThat(tryElsewhere()).isFalse();
		lock.unlock();
		assertThat(tryElsewhere()).isTrue();
	}

	@Test
	void threadThatHasLostItsLockAcquiresItAgain() {
		Lock lock = this.locks.asLock(withLease(this.request, Duration.ofSeconds(1)));
		lock.lock();
		lock.lock();
		loseInThisThread();
		lock.lock();
		this.locks.ensureHeld(this.request.name());
		assertThat(tryElsewhere()).isFalse();
		lock.unlock();
		assertThat(tryElsewhere()).isTrue();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
	}

	/** Otherwise the read lock would stay held when the writer unlocks its lost lock. */
	@Test
	void writerThatHasLostItsLockCannotDowngrade() {
		shortenLeases();
		ReadWriteLock lock = this.locks.asReadWriteLock(this.request.name());
		lock.writeLock().lock();
		loseInThisThread();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock.readLock()::lock);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock.writeLock()::unlock);
		assertThat(tryElsewhere()).isTrue();
		lock.readLock().lock();
		lock.readLock().unlock();
	}

	@Test
	void lockThatWasLostAndIsBusyIsNotHeldHere() {
		Lock lock = this.locks.asLock(withLease(this.request, Duration.ofSeconds(1)));
		lock.lock();
		loseInThisThread();
		LockHandle held = CompletableFuture.supplyAsync(() -> this.otherLocks.acquire(this.request), this.threads)
			.join();
		assertThat(lock.tryLock()).isFalse();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
		held.close();
	}

	@Test
	void sectionThatHasLostItsLockCannotAcquireItAgain() {
		this.locks.execute(withLease(this.request, Duration.ofSeconds(1)).onLost(OnLost.LOG), () -> {
			loseInThisThread();
			Lock lock = this.locks.asLock(this.request);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::tryLock);
		});
		Awaitility.await().until(this::tryElsewhere);
	}

	@Test
	void lockWithAHoldTimeIsLostAfterIt() throws Exception {
		LockOperations.LeasedLock lock = this.locks.asLock(this.request);
		assertThat(lock.tryLock(20_000, 200, TimeUnit.MILLISECONDS)).isTrue();
		Awaitility.await().pollInSameThread().until(() -> !lock.isHeldByCurrentThread());
		lock.lock(-1, TimeUnit.SECONDS);
		assertThat(lock.isHeldByCurrentThread()).isTrue();
		lock.unlock();
	}

	@Test
	void onlyTheThreadThatLockedHoldsTheLock() {
		LockOperations.LeasedLock lock = this.locks.asLock(this.request);
		assertThat(lock.isLocked()).isFalse();
		lock.lock();
		assertThat(lock.isHeldByCurrentThread()).isTrue();
		assertThat(CompletableFuture.supplyAsync(lock::isHeldByCurrentThread, this.threads).join()).isFalse();
		assertThat(this.otherLocks.asLock(this.request).isHeldByCurrentThread()).isFalse();
		assertThat(this.otherLocks.asLock(this.request).isLocked()).isTrue();
		lock.unlock();
		assertThat(lock.isHeldByCurrentThread()).isFalse();
	}

	/** Otherwise a thread of a pool would carry the lost lock into its next task. */
	@Test
	void threadThatSeesItsLossNeedNotUnlock() {
		LockOperations.LeasedLock lock = this.locks.asLock(withLease(this.request, Duration.ofSeconds(1)));
		lock.lock();
		loseInThisThread();
		assertThat(lock.isHeldByCurrentThread()).isFalse();
		assertThat(this.locks.isInSection()).isFalse();
		assertThat(this.locks.<Boolean, RuntimeException>execute(this.request, () -> true)).isTrue();
	}

	@Test
	void severalLocksAreHeldUntilTheFirstIsLost() {
		LockRequest both = LockRequest.allOf(this.request.name(), this.request.name() + ":other");
		LockOperations.LeasedLock lock = this.locks.asLock(withLease(both, Duration.ofSeconds(1)));
		lock.lock();
		assertThat(lock.isHeldByCurrentThread()).isTrue();
		this.otherLocks.forceRelease(this.request.name());
		Awaitility.await().until(() -> !lock.isHeldByCurrentThread());
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
	}

	@Test
	void unlockByAnotherThreadIsRejected() {
		Lock lock = this.locks.asLock(this.request.name());
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
	}

	@Test
	void timedTryOfALockEndsInTimeAndLeavesNothingToUnlock() throws Exception {
		Lock lock = this.locks.asLock(this.request);
		try (LockHandle held = this.otherLocks.acquire(this.request)) {
			assertThat(lock.tryLock(400, TimeUnit.MILLISECONDS)).isFalse();
			assertThat(lock.tryLock()).isFalse();
			assertThat(held.isHeld()).isTrue();
		}
		lock.lock();
		lock.unlock();
		assertThat(tryElsewhere()).isTrue();
	}

	@Test
	void interruptibleLockThrowsAtOnce() throws Exception {
		CompletableFuture<Boolean> flag = new CompletableFuture<>();
		try (LockHandle held = this.otherLocks.acquire(this.request)) {
			Thread waiter = new Thread(() -> {
				try {
					this.locks.asLock(held.name()).lockInterruptibly();
				}
				catch (InterruptedException ex) {
					flag.complete(Thread.currentThread().isInterrupted());
				}
			});
			waiter.start();
			waiter.interrupt();
			assertThat(flag.get(10, TimeUnit.SECONDS)).isFalse();
		}
	}

	@Test
	void stateOfALockCountsAllInstances() {
		try (LockHandle held = this.otherLocks.acquire(this.request)) {
			LockState state = this.locks.inspect(held.name());
			assertThat(state.isHeld()).isTrue();
			assertThat(state.remaining()).isBetween(defaults().leaseTime().dividedBy(3).multipliedBy(2),
					Duration.ofSeconds(30));
		}
		assertThat(this.locks.inspect(this.request.name()).isHeld()).isFalse();
	}

	@Test
	void heldLocksOfAllInstancesAreListed() {
		String name = this.request.name();
		List<LockHandle> held = List.of(this.locks.acquire(this.once.name(name + ":exclusive")),
				this.otherLocks.acquire(this.once.name(name + ":fair").fair(true)),
				this.locks.acquire(this.once.name(name + ":shared").shared()),
				this.otherLocks.acquire(this.once.name(name + ":shared").shared()));
		assertThat(this.locks.list(name + "*", null, 100)).extracting(LockState::name, LockState::holders)
			.containsExactlyInAnyOrder(tuple(name + ":exclusive", 1L), tuple(name + ":fair", 1L),
					tuple(name + ":shared", 2L));
		held.forEach(LockHandle::close);
		assertThat(this.locks.list(name + "*", null, 100)).isEmpty();
	}

	@Test
	void semaphoresAreListedWithTheirHolders() {
		assumePermits();
		LockRequest permits = this.once.permits(3);
		List<LockHandle> held = List.of(this.locks.acquire(permits), this.otherLocks.acquire(permits));
		assertThat(this.locks.list(permits.name() + "*", null, 1)).singleElement()
			.satisfies((state) -> assertThat(state.holders()).isEqualTo(2));
		held.forEach(LockHandle::close);
	}

	@Test
	void pagesOfAListHaveEachLockOnce() {
		String pattern = this.request.name() + ":*";
		List<LockHandle> held = IntStream.range(0, 5)
			.mapToObj((i) -> this.locks.acquire(this.once.name(this.request.name() + ":" + i)))
			.toList();
		List<LockState> first = this.otherLocks.list(pattern, null, 2);
		List<LockState> second = this.otherLocks.list(pattern, first.get(1).name(), 2);
		List<LockState> last = this.otherLocks.list(pattern, second.get(1).name(), 2);
		assertThat(Stream.of(first, second, last).flatMap(List::stream).map(LockState::name))
			.containsExactlyInAnyOrderElementsOf(held.stream().map(LockHandle::name).toList());
		held.forEach(LockHandle::close);
	}

	@Test
	void aPatternWithoutAnAsteriskIsTheNameOfALock() {
		try (LockHandle held = this.locks.acquire(this.once)) {
			assertThat(this.locks.list(held.name(), null, 1)).extracting(LockState::name).containsExactly(held.name());
			assertThat(this.locks.list(held.name(), held.name(), 1)).isEmpty();
		}
		assertThat(this.locks.list(this.once.name(), null, 1)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "}", "\\", "[x]", "x?", "x%", "x_", "!x", "a}b", "a/b", "größe 鍵" })
	void onlyAnAsteriskOfAPatternStandsForOtherCharacters(String beginning) {
		LockHandle held = this.locks.acquire(this.once.name(beginning + this.request.name()));
		LockHandle other = this.locks.acquire(this.once.name("xx" + this.request.name()));
		assertThat(this.locks.list(beginning + "*" + this.request.name(), null, 10)).extracting(LockState::name)
			.containsExactly(held.name());
		assertThat(this.locks.list("*" + this.request.name(), null, 10)).hasSize(2);
		held.close();
		other.close();
	}

	@Test
	void aCallerThatHasWaitedInVainLearnsWhoHoldsTheLock() {
		LockHandle held = this.otherLocks.acquire(this.request.reason(REASON));
		LockRequest brief = this.request.waitTime(Duration.ofMillis(20));
		Awaitility.await()
			.untilAsserted(() -> assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.locks.acquire(brief))
				.withMessageContaining("; held by ")
				.satisfies((busy) -> assertHeldByOrdersPay(busy.heldBy())));
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.locks.acquireAsync(brief)
				.handle((handle, failure) -> failure)
				.toCompletableFuture()
				.get(10, TimeUnit.SECONDS)).isInstanceOfSatisfying(LockNotAcquiredException.class,
						(busy) -> assertHeldByOrdersPay(busy.heldBy())));
		assertHeldByOrdersPay(this.locks.inspect(held.name()).heldBy());
		assertHeldByOrdersPay(this.otherLocks.inspect(held.name()).heldBy());
		assertThat(this.locks.inspect(held.name()).heldBy()).extracting((holder) -> holder.since() != null)
			.containsExactly(isLeaseOfLock());
		held.close();
		assertThat(this.locks.inspect(held.name()).heldBy()).isEmpty();
	}

	private static void assertHeldByOrdersPay(List<LockState.Holder> heldBy) {
		assertThat(heldBy).singleElement().satisfies((holder) -> {
			assertThat(holder.application()).isEqualTo("shop");
			assertThat(holder.host()).isNotEmpty();
			assertThat(holder.process()).isEqualTo(ProcessHandle.current().pid());
			assertThat(holder.thread()).isEqualTo("main");
			assertThat(holder.reason()).isEqualTo(REASON);
		});
	}

	@Test
	void forcedReleaseFreesTheLockUnlessItIsFree() {
		assertThat(this.locks.forceRelease(this.request.name())).isFalse();
		try (LockHandle held = this.otherLocks.acquire(this.request)) {
			assertThat(this.locks.forceRelease(held.name())).isTrue();
			try (LockHandle next = this.locks.acquire(this.request)) {
				assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
			}
		}
	}

	private void loseInThisThread() {
		steal(this.request.name());
		Awaitility.await()
			.pollInSameThread()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> this.locks.ensureHeld(this.request.name())));
	}

	private boolean tryElsewhere() {
		return CompletableFuture
			.supplyAsync(() -> this.otherLocks.tryExecute(this.once.release(LockRelease.CONFIRMED), () -> {
			}), this.threads)
			.join();
	}

}
