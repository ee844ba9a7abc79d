package io.github.lockboot.concurrent;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SystemClockTests {

	@Test
	void runsNoTaskBeforeItsTime() throws InterruptedException {
		try (SystemClock clock = new SystemClock("lock-timer")) {
			long atNanos = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
			AtomicLong ranNanos = new AtomicLong();
			CountDownLatch ran = new CountDownLatch(1);
			clock.schedule(atNanos, () -> {
				ranNanos.set(clock.nanoTime());
				ran.countDown();
			});
			assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
			assertThat(ranNanos.get() - atNanos).isNotNegative();
		}
	}

	@Test
	void detectsThatTheMachineWasSuspended() throws InterruptedException {
		AtomicLong asleepMillis = new AtomicLong();
		CountDownLatch notified = new CountDownLatch(1);
		try (SystemClock clock = new SystemClock("lock-timer", () -> System.currentTimeMillis() + asleepMillis.get())) {
			clock.onSuspended(notified::countDown);
			long beforeNanos = clock.nanoTime();
			asleepMillis.set(TimeUnit.MINUTES.toMillis(10));
			assertThat(clock.wasSuspendedSince(beforeNanos)).isTrue();
			assertThat(clock.wasSuspendedSince(clock.nanoTime())).isFalse();
			assertThat(notified.await(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void aTaskThatFailsAffectsNoOther() throws InterruptedException {
		CountDownLatch ran = new CountDownLatch(1);
		try (SystemClock clock = new SystemClock("lock-timer")) {
			clock.schedule(clock.nanoTime(), () -> {
				throw new IllegalStateException("on purpose");
			});
			clock.schedule(clock.nanoTime(), ran::countDown);
			assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void aTaskThatIsCancelledLeavesTheOthersOfItsTimeInOrder() throws InterruptedException {
		Queue<Integer> ran = new ConcurrentLinkedQueue<>();
		CountDownLatch last = new CountDownLatch(1);
		try (SystemClock clock = new SystemClock("lock-timer")) {
			long atNanos = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
			List<MonotonicClock.Timer> timers = IntStream.range(0, 5)
				.mapToObj((number) -> clock.schedule(atNanos, () -> ran.add(number)))
				.toList();
			clock.schedule(atNanos, last::countDown);
			List.of(0, 1, 3).forEach((number) -> timers.get(number).cancel());
			assertThat(last.await(10, TimeUnit.SECONDS)).isTrue();
		}
		assertThat(ran).containsExactly(2, 4);
	}

	@Test
	void aTaskThatInterruptsItsThreadAffectsNoOther() throws InterruptedException {
		CountDownLatch ran = new CountDownLatch(1);
		try (SystemClock clock = new SystemClock("lock-timer")) {
			clock.schedule(clock.nanoTime(), () -> Thread.currentThread().interrupt());
			clock.schedule(Duration.ofMillis(10), ran::countDown);
			assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void theHeartbeatContinuesAfterAFailure() throws InterruptedException {
		CountDownLatch looks = new CountDownLatch(4);
		LongSupplier wall = () -> {
			looks.countDown();
			if (looks.getCount() < 3) {
				throw new IllegalStateException("on purpose");
			}
			return System.currentTimeMillis();
		};
		try (SystemClock clock = new SystemClock("timer", wall)) {
			assertThat(looks.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(clock).isNotNull();
		}
	}

	@Test
	void aTaskOfAClosedClockDoesNotRun() {
		AtomicBoolean ran = new AtomicBoolean();
		SystemClock clock = new SystemClock("timer");
		clock.close();
		clock.schedule(clock.nanoTime(), () -> ran.set(true)).cancel();
		assertThat(ran).isFalse();
	}

}
