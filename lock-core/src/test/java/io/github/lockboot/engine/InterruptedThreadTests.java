package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.assertj.core.api.ThrowingConsumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.ReactiveLockOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Threads that are interrupted: before they request a free lock, while they wait, or in
 * their sections.
 */
@Timeout(60)
class InterruptedThreadTests extends SteppedLocks {

	private static final LockRequest REQUEST = LockRequest.of("a");

	private static final LockRequest SEVERAL = LockRequest.allOf("a", "b");

	private static final Set<Thread.State> WAITING = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

	@AfterEach
	void clearInterrupt() {
		Thread.interrupted();
	}

	static Stream<Named<Consumer<LockOperations>>> interruptible() {
		return Stream.of(Named.of("acquire", (locks) -> locks.acquire(REQUEST)),
				Named.of("tryAcquire", (locks) -> locks.tryAcquire(REQUEST.waitTime(Duration.ZERO))),
				Named.of("execute", (locks) -> locks.execute(REQUEST, InterruptedThreadTests::neverRuns)),
				Named.of("tryExecute", (locks) -> locks.tryExecute(REQUEST, InterruptedThreadTests::neverRuns)),
				Named.of("acquire of several", (locks) -> locks.acquire(SEVERAL)),
				Named.of("tryAcquire of several", (locks) -> locks.tryAcquire(SEVERAL)),
				Named.of("execute of several", (locks) -> locks.execute(SEVERAL, InterruptedThreadTests::neverRuns)),
				Named.of("acquire of a semaphore", (locks) -> locks.semaphore("a", 2).acquire()),
				Named.of("execute of a semaphore",
						(locks) -> locks.semaphore("a", 2).execute(InterruptedThreadTests::neverRuns)));
	}

	@ParameterizedTest
	@MethodSource("interruptible")
	void acquireNoLockAndSendNoRequestAndKeepTheirFlag(Consumer<LockOperations> method) {
		assertIsInterrupted(() -> method.accept(this.locks));
		assertThat(this.store.takeCalls()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("interruptible")
	void doNotReenterALock(Consumer<LockOperations> method) {
		this.locks.execute(SEVERAL, () -> {
			assertIsInterrupted(() -> method.accept(this.locks));
			this.locks.ensureHeld("a");
		});
		assertThat(this.locks.activity().held()).isEmpty();
	}

	@Test
	void releaseTheirLocks() {
		this.store.releasesLater();
		LockHandle handle = this.locks.acquire(REQUEST);
		Thread.currentThread().interrupt();
		handle.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void acquireALockWithoutBlocking() {
		Thread.currentThread().interrupt();
		LockHandle handle = this.locks.acquireAsync(REQUEST).toCompletableFuture().join();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(handle.isHeld()).isTrue();
	}

	@Test
	void acquireALockUninterruptiblyAndKeepTheirFlag() {
		Lock lock = this.locks.asLock(REQUEST);
		Thread.currentThread().interrupt();
		lock.lock();
		assertThat(lock.tryLock()).isTrue();
		lock.unlock();
		lock.unlock();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
	}

	static Stream<LockRequest> requests() {
		return Stream.of(REQUEST, SEVERAL);
	}

	@ParameterizedTest
	@MethodSource("requests")
	void keepTheirPlaceInTheQueueIfTheyWaitUninterruptibly(LockRequest request) throws InterruptedException {
		Lock lock = this.locks.asLock(request);
		LockHandle held = this.locks.acquire(REQUEST);
		CompletableFuture<Boolean> flag = new CompletableFuture<>();
		Thread first = new Thread(() -> {
			lock.lock();
			flag.complete(Thread.interrupted());
			lock.unlock();
		});
		first.start();
		Awaitility.await().until(() -> this.locks.activity().waiting().size() == 1);
		CompletableFuture<LockHandle> second = this.locks.acquireAsync(REQUEST).toCompletableFuture();
		second.thenAccept((handle) -> flag.complete(false));
		first.interrupt();
		Awaitility.await().until(() -> !first.isInterrupted() && WAITING.contains(first.getState()));
		held.close();
		assertThat(flag.join()).isTrue();
		second.join().close();
		first.join();
	}

	@Test
	void acquireNoLockInterruptiblyEvenIfTheyHoldItAndLoseTheirFlag() {
		Lock lock = this.locks.asLock(REQUEST);
		lock.lock();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::lockInterruptibly);
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS));
		assertThat(Thread.interrupted()).isFalse();
		lock.unlock();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
	}

	static Stream<ThrowingConsumer<LockOperations>> waiting() {
		return Stream.of((locks) -> locks.asLock(REQUEST).lockInterruptibly(), (locks) -> locks.acquire(SEVERAL));
	}

	@ParameterizedTest
	@MethodSource("waiting")
	void stopWaiting(ThrowingConsumer<LockOperations> method) {
		this.locks.acquire(REQUEST);
		CompletableFuture<Throwable> end = new CompletableFuture<>();
		Thread waiting = new Thread(() -> end.complete(catchThrowable(() -> method.acceptThrows(this.locks))));
		waiting.start();
		Awaitility.await().until(() -> !this.locks.activity().waiting().isEmpty());
		waiting.interrupt();
		assertThat(end).succeedsWithin(Duration.ofSeconds(10))
			.isInstanceOfAny(InterruptedException.class, LockInterruptedException.class);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void keepTheirFlagAfterASectionUnlessItsLossHasSetTheFlag(boolean lost) {
		catchThrowable(() -> this.locks.execute(REQUEST.onLost(OnLost.INTERRUPT), () -> {
			if (lost) {
				this.store.push().taken(this.store.lastAttempt().id());
			}
			else {
				Thread.currentThread().interrupt();
			}
			while (!Thread.currentThread().isInterrupted()) {
				Thread.onSpinWait();
			}
		}));
		assertThat(Thread.interrupted()).isEqualTo(!lost);
	}

	static Stream<BiConsumer<LockOperations, Runnable>> reentering() {
		LockRequest request = REQUEST.onLost(OnLost.INTERRUPT);
		return Stream.of((locks, end) -> locks.execute(request, () -> {
			locks.execute(request, () -> "inner");
			end.run();
		}), (locks, end) -> {
			ReactiveLockOperations reactive = ReactiveLockOperations.of(locks, OnLost.INTERRUPT);
			Mono<String> inner = reactive.execute(request, Mono.just("inner"));
			reactive.execute(request, inner.then(Mono.fromRunnable(end))).block();
		});
	}

	@ParameterizedTest
	@MethodSource("reentering")
	void areInterruptedByOneCallbackHoweverOftenTheyReenterTheirLock(BiConsumer<LockOperations, Runnable> section) {
		List<LockHandle> holds = new ArrayList<>();
		List<Runnable> callbacks = new ArrayList<>();
		LockLostException loss = new LockLostException("a", "it was taken away", Duration.ZERO, 1);
		catchThrowable(() -> section.accept(template(new LockListener() {

			@Override
			public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
				holds.add(handle);
			}

		}), () -> callbacks.addAll(((Hold) holds.get(0)).holder().lost(loss, new AtomicBoolean()))));
		assertThat(callbacks).hasSize(1);
	}

	private static void assertIsInterrupted(Runnable call) {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(call::run);
		assertThat(Thread.interrupted()).isTrue();
	}

	private static void neverRuns() {
		throw new AssertionError("An interrupted thread runs no section");
	}

}
