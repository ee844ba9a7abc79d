package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.RedisCommandTimeoutException;
import org.junit.jupiter.api.Test;

import io.github.lockboot.cache.protocol.RedisCommands.Breaker;
import io.github.lockboot.cache.protocol.RedisCommands.ReplyTimeouts;
import io.github.lockboot.engine.SteppedClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code RedisCommands} do about replies that do not arrive.
 */
class RedisCommandsTests {

	private static final Duration TIMEOUT = Duration.ofMillis(500);

	private final SteppedClock clock = new SteppedClock();

	private final ReplyTimeouts timeouts = new ReplyTimeouts(this.clock, TIMEOUT);

	private final Breaker breaker = new Breaker(this.clock);

	@Test
	void aReplyFailsWhenItsOwnTimeoutEnds() {
		CompletableFuture<String> first = add();
		this.clock.advance(Duration.ofMillis(200));
		CompletableFuture<String> second = add();
		this.clock.advance(Duration.ofMillis(299));
		assertThat(first).isNotDone();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(first).failsWithin(Duration.ZERO)
			.withThrowableOfType(ExecutionException.class)
			.havingCause()
			.isInstanceOf(RedisCommandTimeoutException.class)
			.withMessage("Redis did not answer within 500 ms");
		this.clock.advance(Duration.ofMillis(199));
		assertThat(second).isNotDone();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(second).isCompletedExceptionally();
	}

	@Test
	void repliesThatArrivedWhileTheJvmStoodStillAreReadFirst() {
		CompletableFuture<String> arrived = add();
		CompletableFuture<String> missing = add();
		this.clock.jump(TIMEOUT.plusMillis(200));
		this.clock.advance(Duration.ZERO);
		assertThat(arrived).isNotDone();
		this.timeouts.remove(arrived);
		this.clock.advance(Duration.ofMillis(100));
		assertThat(arrived).isNotDone();
		assertThat(missing).isCompletedExceptionally();
	}

	@Test
	void aReplyThatArrivedDoesNotFail() {
		CompletableFuture<String> reply = add();
		this.timeouts.remove(reply);
		this.clock.advance(Duration.ofDays(1));
		assertThat(reply).isNotDone();
	}

	@Test
	void oneTimerServesAllReplies() {
		for (int i = 0; i < 1000; i++) {
			this.timeouts.remove(add());
			this.clock.advance(Duration.ofMillis(1));
		}
		add();
		assertThat(this.clock.pending()).isEqualTo(1);
	}

	@Test
	void noTimerRunsWithoutReplies() {
		this.timeouts.remove(add());
		this.clock.advance(TIMEOUT);
		assertThat(this.clock.pending()).isZero();
	}

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

	private CompletableFuture<String> add() {
		CompletableFuture<String> reply = new CompletableFuture<>();
		this.timeouts.add(reply);
		return reply;
	}

	private void fail(int times) {
		for (int i = 0; i < times; i++) {
			this.breaker.failed(this.clock.nanoTime());
		}
	}

}
