package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.github.lockboot.cache.protocol.RedisCommands.Breaker;
import io.github.lockboot.engine.SteppedClock;

import static org.assertj.core.api.Assertions.assertThat;

class BreakerTests {

	private final SteppedClock clock = new SteppedClock();

	private final Breaker breaker = new Breaker(this.clock);

	@Test
	void aSuccessInBetweenResetsTheCount() {
		fail(2);
		this.breaker.succeeded();
		fail(2);
		assertThat(this.breaker.isOpen()).isFalse();
	}

	@Test
	void noCallIsPermittedUntilTheServerHasReplied() {
		fail(3);
		this.clock.advance(Duration.ofDays(1));
		assertThat(this.breaker.isOpen()).isTrue();
		this.breaker.succeeded();
		assertThat(this.breaker.isOpen()).isFalse();
	}

	@Test
	void callersWaitForTheSameProbe() {
		AtomicInteger probes = new AtomicInteger();
		var first = this.breaker.recovery(probes::incrementAndGet);
		assertThat(this.breaker.recovery(probes::incrementAndGet)).isSameAs(first).isNotDone();
		this.breaker.recovered();
		assertThat(first).isDone();
		assertThat(probes).hasValue(1);
	}

	@Test
	void concurrentCommandsCountAsOneFailure() {
		long sentNanos = this.clock.nanoTime();
		this.clock.advance(Duration.ofMillis(250));
		for (int i = 0; i < 1000; i++) {
			this.breaker.failed(sentNanos);
		}
		assertThat(this.breaker.isOpen()).isFalse();
	}

	@Test
	void threeFailedBurstsStartAPause() {
		for (int i = 0; i < 3; i++) {
			assertThat(this.breaker.isOpen()).isFalse();
			long sentNanos = this.clock.nanoTime();
			this.clock.advance(Duration.ofMillis(250));
			this.breaker.failed(sentNanos);
			this.breaker.failed(sentNanos);
		}
		assertThat(this.breaker.isOpen()).isTrue();
	}

	private void fail(int times) {
		for (int i = 0; i < times; i++) {
			this.breaker.failed(this.clock.nanoTime());
		}
	}

}
