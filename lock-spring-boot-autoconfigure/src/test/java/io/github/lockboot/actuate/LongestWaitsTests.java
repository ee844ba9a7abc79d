package io.github.lockboot.actuate;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.actuate.LongestWaits.Waits;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The names with the longest waits.
 */
class LongestWaitsTests {

	private final AtomicLong nanoTime = new AtomicLong(42);

	private final LongestWaits waits = new LongestWaits(this.nanoTime::get);

	@Test
	void theLockWithTheLongestTotalIsFirst() {
		wait("once", 500);
		wait("often", 300);
		wait("often", 400);
		assertThat(this.waits.list(null)).containsExactly(
				new Waits("often", 2, Duration.ofMillis(700), Duration.ofMillis(400)),
				new Waits("once", 1, Duration.ofMillis(500), Duration.ofMillis(500)));
	}

	@Test
	void aFreeLockIsNotRemembered() {
		this.waits.onNotAcquired(LockRequest.of("free"), failure("free"), Duration.ofNanos(9_999_999));
		assertThat(this.waits.list(null)).isEmpty();
	}

	@Test
	void oneLockIsFoundByItsName() {
		wait("a", 10);
		wait("b", 20);
		assertThat(this.waits.list("a")).extracting(Waits::name).containsExactly("a");
		assertThat(this.waits.list("c")).isEmpty();
	}

	@Test
	void ofManyLocksThoseWithTheLongestWaitsAreRemembered() {
		for (int i = 1; i <= 10_000; i++) {
			wait("short:" + i, 10);
		}
		wait("long", 1000);
		assertThat(this.waits.list(null)).hasSize(20).first().extracting(Waits::name).isEqualTo("long");
		assertThat(this.waits.list("short:101")).as("no place is left for the 101st name").isEmpty();
	}

	@Test
	void waitsAreForgottenAfterTenMinutes() {
		wait("old", 1000);
		this.nanoTime.addAndGet(Duration.ofMinutes(5).toNanos());
		wait("young", 10);
		assertThat(this.waits.list(null)).extracting(Waits::name).containsExactly("old", "young");
		this.nanoTime.addAndGet(Duration.ofMinutes(5).toNanos());
		assertThat(this.waits.list(null)).extracting(Waits::name).containsExactly("young");
		this.nanoTime.addAndGet(Duration.ofMinutes(10).toNanos());
		assertThat(this.waits.list(null)).isEmpty();
	}

	private void wait(String name, long millis) {
		this.waits.onNotAcquired(LockRequest.of(name), failure(name), Duration.ofMillis(millis));
	}

	private static LockNotAcquiredException failure(String name) {
		return new LockNotAcquiredException(name, Duration.ZERO, null);
	}

}
