package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockSemaphore;
import io.github.lockboot.LockState;
import io.github.lockboot.fixture.NoRerun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The contract of {@link LockOperations} for locks with several holders: shared locks and
 * semaphores.
 */
@Timeout(60)
public abstract class SharingContract extends TwoInstances {

	private static final Duration SOON = Duration.ofSeconds(20);

	private final LockRequest exclusive = LockRequest.of("sharing:" + UUID.randomUUID()).waitTime(SOON);

	private final LockRequest shared = this.exclusive.shared();

	// ---- shared and exclusive

	@Test
	void readersOfAllInstancesShareTheLockAndThoseOfOneAreOneHoldInTheStore() {
		List<LockHandle> readers = List.of(this.locks.acquire(this.shared), this.locks.acquire(this.shared),
				this.otherLocks.acquire(this.shared));
		assertThat(readers).allMatch(LockHandle::isHeld);
		assertThat(this.locks.inspect(this.shared.name()).holders()).isEqualTo(2);
	}

	@Test
	void inspectionNamesTheReaderOfEachInstance() {
		this.locks.acquire(this.shared.reason("here"));
		this.otherLocks.acquire(this.shared);
		assertThat(this.locks.inspect(this.shared.name()).heldBy()).hasSize(2)
			.extracting(LockState.Holder::reason)
			.contains("here");
	}

	@Test
	void writerWaitsUntilTheLastReaderHasReleased() {
		LockHandle first = this.locks.acquire(this.shared);
		LockHandle second = this.locks.acquire(this.shared);
		Future<LockHandle> writer = this.threads.submit(() -> this.otherLocks.acquire(this.exclusive));
		first.close();
		assertThat(this.otherLocks.tryAcquire(once(this.exclusive))).isNull();
		second.close();
		assertThat(get(writer).isHeld()).isTrue();
	}

	@Test
	void readerWaitsForAWriter() {
		LockHandle writer = this.locks.acquire(this.exclusive);
		assertThat(this.locks.tryAcquire(once(this.shared))).isNull();
		assertThat(this.otherLocks.tryAcquire(once(this.shared))).isNull();
		writer.close();
		assertThat(this.otherLocks.tryAcquire(this.shared)).isNotNull();
	}

	@Test
	void waitingReadersAreAdmittedTogether() {
		LockHandle writer = this.locks.acquire(this.exclusive);
		List<Future<LockHandle>> readers = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			LockOperations locks = (i % 2 == 0) ? this.locks : this.otherLocks;
			readers.add(this.threads.submit(() -> locks.acquire(this.shared)));
		}
		writer.close();
		assertThat(readers).allSatisfy((reader) -> assertThat(get(reader).isHeld()).isTrue());
	}

	@ParameterizedTest
	@CsvSource({ "true, 6", "false, 4" })
	void writerOrReaderIsNotStarvedByOthersThatKeepArriving(boolean writer, int count) {
		LockRequest others = writer ? this.shared : this.exclusive;
		LockRequest one = writer ? this.exclusive : this.shared;
		AtomicBoolean stopped = new AtomicBoolean();
		CountDownLatch working = new CountDownLatch(count);
		for (int i = 0; i < count; i++) {
			LockOperations locks = (i % 2 == 0) ? this.locks : this.otherLocks;
			this.threads.submit(() -> {
				while (!stopped.get()) {
					locks.execute(others, () -> {
						working.countDown();
						spinForAMillisecond();
					});
				}
			});
		}
		await(working);
		this.locks.execute(one, () -> {
		});
		this.otherLocks.execute(one, () -> {
		});
		stopped.set(true);
	}

	@Test
	void readersAndWritersNeverOverlap() {
		AtomicInteger readers = new AtomicInteger();
		AtomicInteger writers = new AtomicInteger();
		AtomicInteger mistakes = new AtomicInteger();
		List<Future<?>> work = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			LockOperations locks = (i % 2 == 0) ? this.locks : this.otherLocks;
			boolean writes = i < 3;
			work.add(this.threads.submit(() -> {
				for (int j = 0; j < 40; j++) {
					locks.execute(writes ? this.exclusive : this.shared, () -> {
						int others = writes ? writers.incrementAndGet() - 1 + readers.get() : writers.get();
						if (!writes) {
							readers.incrementAndGet();
						}
						if (others > 0) {
							mistakes.incrementAndGet();
						}
						(writes ? writers : readers).decrementAndGet();
					});
				}
				return null;
			}));
		}
		work.forEach(SharingContract::get);
		assertThat(mistakes).hasValue(0);
	}

	@Test
	void writerMayAcquireTheLockAsAReaderToo() {
		assertThat(this.locks.<Boolean, RuntimeException>execute(this.exclusive,
				() -> this.locks.tryExecute(once(this.shared), () -> {
				})))
			.isTrue();
	}

	@Test
	void upgradeIsRejectedInsteadOfADeadlock() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.locks.execute(this.shared, () -> this.locks.execute(this.exclusive, () -> {
			})))
			.withMessageContainingAll(this.shared.name(), "upgraded");
	}

	@Test
	void downgradeAdmitsWaitingReadersAtOnce() throws Exception {
		ReadWriteLock lock = this.locks.asReadWriteLock(this.exclusive.name());
		lock.writeLock().lock();
		Future<LockHandle> reader = this.threads.submit(() -> this.otherLocks.acquire(this.shared));
		lock.readLock().lock();
		lock.writeLock().unlock();
		assertThat(reader.get(20, TimeUnit.SECONDS).isHeld()).isTrue();
		assertThat(this.otherLocks.tryAcquire(once(this.exclusive))).isNull();
		get(reader).close();
		lock.readLock().unlock();
		assertThat(this.otherLocks.tryAcquire(this.exclusive)).isNotNull();
	}

	@Test
	void downgradedHoldSharesATokenWithOtherReadersNotBelowThatOfTheWriter() {
		String name = this.exclusive.name();
		ReadWriteLock lock = this.locks.asReadWriteLock(name);
		lock.writeLock().lock();
		long written = this.locks.fencingToken(name);
		lock.readLock().lock();
		lock.writeLock().unlock();
		assertThat(this.otherLocks.acquire(this.shared).fencingToken()).isEqualTo(this.locks.fencingToken(name))
			.isGreaterThan(isTimeAsToken() ? written : written - 1);
	}

	@Test
	void stateHasTheTokenOfTheReaders() {
		this.locks.acquire(this.exclusive).close();
		LockHandle reader = this.otherLocks.acquire(this.shared);
		assertThat(this.locks.inspect(this.shared.name()).fencingToken()).isEqualTo(reader.fencingToken());
	}

	@Test
	void eachSideOfAReadWriteLockIsUnlockedSeparately() {
		ReadWriteLock lock = this.locks.asReadWriteLock(this.exclusive.name());
		lock.readLock().lock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> lock.writeLock().unlock());
		lock.readLock().unlock();
		assertThat(this.otherLocks.tryAcquire(once(this.exclusive))).isNotNull();
	}

	@Test
	void readerCannotTryToWrite() throws Exception {
		ReadWriteLock lock = this.locks.asReadWriteLock(this.exclusive.name());
		lock.readLock().lock();
		assertThat(lock.writeLock().tryLock()).isFalse();
		assertThat(lock.writeLock().tryLock(1, TimeUnit.HOURS)).isFalse();
		assertThatIllegalStateException().isThrownBy(() -> lock.writeLock().lock())
			.withMessageContaining("can't be upgraded");
		lock.readLock().unlock();
		assertThat(lock.writeLock().tryLock()).isTrue();
		lock.writeLock().unlock();
	}

	@Test
	void sharedLockIsKeptBeyondItsLease() {
		LockHandle reader = this.locks.acquire(withLease(this.shared, Duration.ofSeconds(1)));
		Awaitility.await()
			.during(Duration.ofMillis(1500))
			.atMost(SOON)
			.until(() -> reader.isHeld() && this.otherLocks.tryAcquire(once(this.exclusive)) == null);
	}

	@Test
	void forcedReleaseNotifiesAllReaders() {
		LockHandle first = this.locks.acquire(withLease(this.shared, Duration.ofSeconds(1)));
		LockHandle second = this.locks.acquire(withLease(this.shared, Duration.ofSeconds(1)));
		assertThat(this.otherLocks.forceRelease(this.shared.name())).isTrue();
		Awaitility.await().atMost(SOON).until(() -> !first.isHeld() && !second.isHeld());
	}

	// ---- semaphores

	@Test
	void semaphoreAdmitsAsManyHoldersAsItHasPermits() {
		assumePermits();
		LockSemaphore semaphore = this.locks.semaphore(this.exclusive.name(), 2).waitTime(Duration.ZERO);
		LockSemaphore elsewhere = this.otherLocks.semaphore(this.exclusive.name(), 2).waitTime(Duration.ZERO);
		LockHandle first = semaphore.acquire();
		assertThat(elsewhere.tryAcquire()).isNotNull();
		assertThat(semaphore.tryAcquire()).isNull();
		assertThat(elsewhere.tryAcquire()).isNull();
		first.close();
		assertThat(elsewhere.tryAcquire()).isNotNull();
	}

	@Test
	@NoRerun
	void neverMoreThanItsPermitsAreHeld() {
		assumePermits();
		AtomicInteger out = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		List<Future<?>> work = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			LockSemaphore semaphore = ((i % 2 == 0) ? this.locks : this.otherLocks).semaphore(this.exclusive.name(), 3)
				.waitTime(SOON);
			work.add(this.threads.submit(() -> {
				for (int j = 0; j < 20; j++) {
					semaphore.execute(() -> {
						most.accumulateAndGet(out.incrementAndGet(), Math::max);
						spinForAMillisecond();
						out.decrementAndGet();
					});
				}
				return null;
			}));
		}
		work.forEach(SharingContract::get);
		assertThat(most).hasValueLessThanOrEqualTo(3).hasValueGreaterThan(1);
	}

	@Test
	void waiterAcquiresThePermitThatIsReleased() throws Exception {
		assumePermits();
		LockHandle permit = this.locks.acquire(this.exclusive.permits(2));
		this.locks.acquire(this.exclusive.permits(2));
		CompletableFuture<LockHandle> waiting = this.otherLocks.acquireAsync(this.exclusive.permits(2))
			.toCompletableFuture();
		permit.close();
		assertThat(waiting.get(20, TimeUnit.SECONDS).isHeld()).isTrue();
	}

	@Test
	void permitMayBeAcquiredAsALockOfAThread() {
		assumePermits();
		LockRequest permit = this.locks.semaphore(this.exclusive.name(), 2).request();
		Lock lock = this.locks.asLock(permit);
		lock.lock();
		try (LockHandle second = this.otherLocks.acquire(permit)) {
			assertThat(second.isHeld()).isTrue();
			assertThat(this.otherLocks.asLock(permit).tryLock()).isFalse();
		}
		lock.unlock();
		assertThat(this.otherLocks.tryAcquire(once(this.exclusive))).isNotNull();
	}

	private static LockRequest once(LockRequest request) {
		return request.waitTime(Duration.ZERO);
	}

	private static void spinForAMillisecond() {
		long start = System.nanoTime();
		while (System.nanoTime() - start < 1_000_000) {
			Thread.onSpinWait();
		}
	}

	private static void await(CountDownLatch latch) {
		Awaitility.await().atMost(SOON).until(() -> latch.getCount() == 0);
	}

	private static <T> T get(Future<T> future) {
		try {
			return future.get(40, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
	}

}
