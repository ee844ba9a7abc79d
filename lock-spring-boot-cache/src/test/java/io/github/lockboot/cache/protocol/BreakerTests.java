package io.github.lockboot.cache.protocol;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.github.lockboot.cache.protocol.Breakers.Breaker;

import static org.assertj.core.api.Assertions.assertThat;

class BreakerTests {

	private static final Duration PAUSE = Duration.ofSeconds(2);

	private final ManualClock clock = new ManualClock();

	private final Breaker breaker = new Breaker(this.clock, PAUSE);

	@Test
	void twoFailuresAreTolerated() {
		fail(2);
		assertThat(this.breaker.allows()).isTrue();
	}

	@Test
	void afterThreeFailuresInARowNoCallIsPermitted() {
		fail(3);
		assertThat(this.breaker.allows()).isFalse();
	}

	@Test
	void aSuccessInBetweenResetsTheCount() {
		fail(2);
		this.breaker.succeeded();
		fail(2);
		assertThat(this.breaker.allows()).isTrue();
	}

	@Test
	void afterThePauseOneCallIsPermitted() {
		fail(3);
		this.clock.advance(PAUSE);
		assertThat(this.breaker.allows()).isTrue();
		assertThat(this.breaker.allows()).isFalse();
	}

	@Test
	void ifThatCallSucceedsAllArePermitted() {
		fail(3);
		this.clock.advance(PAUSE);
		this.breaker.allows();
		this.breaker.succeeded();
		assertThat(this.breaker.allows()).isTrue();
		assertThat(this.breaker.allows()).isTrue();
	}

	@Test
	void ifThatCallFailsAnotherPauseStarts() {
		fail(3);
		this.clock.advance(PAUSE);
		this.breaker.allows();
		this.breaker.failed(this.clock.nanoTime());
		assertThat(this.breaker.allows()).isFalse();
		this.clock.advance(PAUSE);
		assertThat(this.breaker.allows()).isTrue();
	}

	@Test
	void onlyTheFailureThatStartsAPauseIsReported() {
		fail(2);
		assertThat(this.breaker.failed(this.clock.nanoTime())).isTrue();
		assertThat(this.breaker.failed(this.clock.nanoTime())).isFalse();
	}

	@Test
	void onlyTheSuccessThatEndsAPauseIsReported() {
		fail(3);
		assertThat(this.breaker.succeeded()).isTrue();
		assertThat(this.breaker.succeeded()).isFalse();
	}

	@Test
	void concurrentCommandsCountAsOneFailure() {
		long sentNanos = this.clock.nanoTime();
		this.clock.advance(Duration.ofMillis(250));
		for (int i = 0; i < 1000; i++) {
			this.breaker.failed(sentNanos);
		}
		assertThat(this.breaker.allows()).isTrue();
	}

	@Test
	void threeFailedBurstsStartAPause() {
		for (int i = 0; i < 3; i++) {
			assertThat(this.breaker.allows()).isTrue();
			long sentNanos = this.clock.nanoTime();
			this.clock.advance(Duration.ofMillis(250));
			this.breaker.failed(sentNanos);
			this.breaker.failed(sentNanos);
		}
		assertThat(this.breaker.allows()).isFalse();
	}

	private void fail(int times) {
		for (int i = 0; i < times; i++) {
			this.breaker.failed(this.clock.nanoTime());
		}
	}

}
