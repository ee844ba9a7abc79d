package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * The contract of {@link LockOperations} for several locks at once.
 */
@Timeout(90)
public abstract class SeveralLocksContract extends TwoInstances {

	private static final int PHILOSOPHERS = 10;

	private static final int MEALS = 30;

	private final String a = "a:" + UUID.randomUUID();

	private final String b = "b:" + UUID.randomUUID();

	private final String c = "c:" + UUID.randomUUID();

	private final LockRequest request = LockRequest.allOf(this.b, this.a).waitTime(Duration.ofSeconds(30));

	private final LockRequest once = this.request.waitTime(Duration.ZERO);

	// ---- all or none

	@Test
	void freeLocksAreAllAcquiredAndReleasedTogether() {
		try (LockHandle held = this.locks.acquire(this.once)) {
			assertThat(held.isHeld()).isTrue();
			assertThat(List.of(isFree(this.a), isFree(this.b))).containsOnly(false);
		}
		assertThat(List.of(isFree(this.a), isFree(this.b))).containsOnly(true);
	}

	@Test
	void oneBusyLockLeavesNoneHeld() {
		for (String busy : List.of(this.a, this.b)) {
			try (LockHandle held = this.otherLocks.acquire(busy)) {
				assertThat(this.locks.tryAcquire(this.once)).isNull();
				assertThat(held.isHeld()).isTrue();
			}
			assertThat(List.of(isFree(this.a), isFree(this.b))).containsOnly(true);
		}
	}

	@Test
	void failedWaitLeavesNoneHeldAndNamesTheBusyLock() {
		try (LockHandle held = this.otherLocks.acquire(this.b)) {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.locks.acquire(this.request.waitTime(Duration.ofMillis(200))))
				.satisfies((ex) -> assertThat(ex.lockName()).isEqualTo(held.name()))
				.satisfies((ex) -> assertThat(ex.waited()).isBetween(Duration.ofMillis(200), Duration.ofSeconds(20)));
			assertThat(isFree(this.a)).isTrue();
		}
	}

	@Test
	void waiterAcquiresAllLocksWhenTheLastIsReleased() throws Exception {
		LockHandle first = this.otherLocks.acquire(this.a);
		LockHandle second = this.otherLocks.acquire(this.b);
		Future<LockHandle> waiting = this.threads.submit(() -> this.locks.acquire(this.request));
		second.close();
		first.close();
		try (LockHandle held = waiting.get(60, TimeUnit.SECONDS)) {
			assertThat(held.isHeld()).isTrue();
		}
	}

	@Test
	void philosophersAllEatAndNeverShareAFork() throws Exception {
		int forks = 5;
		AtomicInteger[] users = IntStream.range(0, forks)
			.mapToObj((i) -> new AtomicInteger())
			.toArray(AtomicInteger[]::new);
		AtomicInteger clashes = new AtomicInteger();
		List<Future<?>> dinner = new ArrayList<>();
		for (int i = 0; i < PHILOSOPHERS; i++) {
			LockOperations locks = (i % 2 == 0) ? this.locks : this.otherLocks;
			Random random = new Random(i);
			dinner.add(this.threads.submit(() -> {
				for (int meal = 0; meal < MEALS; meal++) {
					int left = random.nextInt(forks);
					int right = (left + 1 + random.nextInt(forks - 1)) % forks;
					locks.execute(forks(left, right), () -> {
						if (users[left].incrementAndGet() > 1 || users[right].incrementAndGet() > 1) {
							clashes.incrementAndGet();
						}
						Thread.yield();
						users[left].decrementAndGet();
						users[right].decrementAndGet();
					});
				}
			}));
		}
		for (Future<?> each : dinner) {
			each.get();
		}
		assertThat(clashes).hasValue(0);
	}

	// ---- as one hold

	@Test
	void eachLockHasItsOwnGrowingToken() {
		Map<String, Long> last = new TreeMap<>(Map.of(this.a, 0L, this.b, 0L));
		for (LockOperations locks : List.of(this.locks, this.otherLocks, this.otherLocks)) {
			try (LockHandle held = locks.acquire(this.request)) {
				last.replaceAll((name, token) -> {
					assertThat(held.fencingToken(name)).isGreaterThan(token);
					return held.fencingToken(name);
				});
			}
		}
		try (LockHandle alone = this.locks.acquire(this.a)) {
			assertThat(alone.fencingToken(this.a)).isEqualTo(alone.fencingToken()).isGreaterThan(last.get(this.a));
		}
	}

	@Test
	void tokenOfSeveralLocksIsRequestedByName() {
		try (LockHandle held = this.locks.acquire(this.request)) {
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(held::fencingToken)
				.withMessageContaining(this.a);
			assertThatIllegalArgumentException().isThrownBy(() -> held.fencingToken(this.c))
				.withMessageContaining(this.c);
		}
	}

	@Test
	void onlyTheLostOneOfSeveralLocksIsNoLongerHeld() {
		try (LockHandle held = this.locks.acquire(withLease(this.request, Duration.ofSeconds(3)))) {
			AtomicInteger calls = new AtomicInteger();
			held.onLost(calls::incrementAndGet);
			steal(this.b);
			await().until(() -> calls.get() == 1);
			assertThat(held.isHeld()).isFalse();
			assertThatExceptionOfType(LockLostException.class).isThrownBy(held::ensureHeld);
			assertThat(held.loss()).satisfies((loss) -> assertThat(loss.lockName()).isEqualTo(this.b));
			assertThat(isFree(this.a)).isFalse();
		}
		assertThat(isFree(this.a)).isTrue();
	}

	// ---- sections

	@Test
	void nestedSectionReleasesOnlyTheLocksThatItAcquired() {
		this.locks.execute(LockRequest.of(this.a), () -> {
			this.locks.execute(this.request, () -> assertThat(isFree(this.b)).isFalse());
			await().until(() -> isFree(this.b));
			assertThat(isFree(this.a)).isFalse();
		});
		await().until(() -> isFree(this.a));
	}

	@Test
	void sectionThatHoldsSeveralLocksHoldsEachOfThem() {
		this.locks.execute(this.request, () -> {
			this.locks.execute(LockRequest.of(this.a).waitTime(Duration.ZERO), () -> this.locks.ensureHeld(this.a));
			this.locks.execute(this.once, () -> this.locks.ensureHeld(this.b));
			assertThat(List.of(isFree(this.a), isFree(this.b))).containsOnly(false);
		});
		await().until(() -> isFree(this.a) && isFree(this.b));
	}

	@Test
	void failedNestedSectionKeepsTheLockOfTheOuterOne() {
		try (LockHandle held = this.otherLocks.acquire(this.b)) {
			this.locks.execute(LockRequest.of(this.a), () -> {
				assertThat(this.locks.tryExecute(this.once, () -> {
					throw new AssertionError("ran without " + held.name());
				})).isFalse();
				this.locks.ensureHeld(this.a);
			});
		}
		await().until(() -> isFree(this.a) && isFree(this.b));
	}

	// ---- as java.util.concurrent.locks.Lock

	@Test
	void severalLocksAreOneLockOfAThread() {
		Lock both = this.locks.asLock(this.request);
		both.lock();
		assertThat(both.tryLock()).isTrue();
		both.unlock();
		assertThat(List.of(isFree(this.a), isFree(this.b))).containsOnly(false);
		both.unlock();
		assertThat(List.of(isFree(this.a), isFree(this.b))).containsOnly(true);
	}

	@Test
	void unlockOfLocksThatAreNotAllHeldIsRejected() {
		Lock one = this.locks.asLock(this.a);
		one.lock();
		assertThatExceptionOfType(IllegalMonitorStateException.class)
			.isThrownBy(() -> this.locks.asLock(this.request).unlock());
		one.unlock();
	}

	// ---- without blocking a thread

	@Test
	void cancelledAsynchronousWaitLeavesNoneHeld() {
		try (LockHandle held = this.otherLocks.acquire(this.b)) {
			CompletableFuture<LockHandle> waiting = this.locks.acquireAsync(this.request).toCompletableFuture();
			await().until(() -> !isFree(this.a));
			waiting.cancel(false);
			await().until(() -> isFree(this.a));
			assertThat(held.isHeld()).isTrue();
		}
		await().until(() -> isFree(this.b));
	}

	// ---- with other attributes of a request

	@Test
	void severalLocksMayBeShared() {
		try (LockHandle first = this.locks.acquire(this.request.shared());
				LockHandle second = this.otherLocks.acquire(this.request.shared());
				LockHandle third = this.locks.acquire(LockRequest.of(this.a).shared())) {
			assertThat(List.of(first, second, third)).allMatch(LockHandle::isHeld);
			assertThat(this.otherLocks.tryAcquire(this.once)).isNull();
		}
		try (LockHandle writer = this.otherLocks.acquire(this.once)) {
			assertThat(this.locks.tryAcquire(this.once.shared())).isNull();
			assertThat(writer.isHeld()).isTrue();
		}
	}

	private LockRequest forks(int left, int right) {
		return LockRequest.allOf(this.a + left, this.a + right).waitTime(Duration.ofSeconds(60));
	}

	private boolean isFree(String lock) {
		return !this.otherLocks.inspect(lock).isHeld();
	}

}
