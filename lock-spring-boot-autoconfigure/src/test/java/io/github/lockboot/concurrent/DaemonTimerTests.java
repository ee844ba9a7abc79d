package io.github.lockboot.concurrent;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DaemonTimerTests {

	@Test
	void theHeartGoesOnBeatingAfterABeatThatFails() throws InterruptedException {
		CountDownLatch beats = new CountDownLatch(3);
		try (DaemonTimer timer = new DaemonTimer("timer", () -> {
			beats.countDown();
			throw new IllegalStateException("on purpose");
		})) {
			assertThat(beats.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(timer).isNotNull();
		}
	}

	@Test
	void aTaskForAClosedTimerIsDoneWithoutHavingRun() {
		AtomicBoolean ran = new AtomicBoolean();
		DaemonTimer timer = new DaemonTimer("timer", () -> {
		});
		timer.close();
		assertThat(timer.schedule(0, () -> ran.set(true)).isDone()).isTrue();
		assertThat(ran).isFalse();
	}

}
