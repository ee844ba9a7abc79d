package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;

import org.junit.jupiter.api.Test;

import io.github.lockboot.engine.SteppedClock;

import static org.assertj.core.api.Assertions.assertThat;

class RedisTimeTests {

	private static final long NOON = 1_800_000_000_000_000L;

	private final SteppedClock clock = new SteppedClock();

	private Set<String> servers = Set.of("first");

	private final RedisTime time = new RedisTime(this.clock, () -> this.servers, Duration.ofSeconds(30));

	@Test
	void theReplyIsAtTheLatestForTheMomentOfItsArrival() {
		learn(Duration.ofMillis(10));
		assertThat(this.time.notAfter(this.clock.nanoTime())).isEqualTo(NOON);
	}

	@Test
	void laterMomentsCountFromThereWithAnAllowanceForDrift() {
		learn(Duration.ofMillis(10));
		this.clock.advance(Duration.ofSeconds(20));
		assertThat(micros(this.clock.nanoTime()) - NOON).isBetween(19_900_000L, 19_999_999L);
	}

	@Test
	void earlierMomentsAreNotTakenForLaterOnes() {
		long before = this.clock.nanoTime();
		this.clock.advance(Duration.ofSeconds(20));
		learn(Duration.ofMillis(10));
		// requested 10 ms before the reply
		assertThat(micros(before) - NOON).isBetween(-20_110_000L, -20_010_000L);
	}

	@Test
	void momentsBeforeASuspensionOfTheMachineAreNotConverted() {
		long before = this.clock.nanoTime();
		this.clock.standStill();
		learn(Duration.ofMillis(10));
		assertThat(this.time.notAfter(before)).isNull();
	}

	@Test
	void theEstimateIsInTheMiddleOfTheRoundTrip() {
		learn(Duration.ofMillis(10));
		assertThat(this.time.millis()).isEqualTo(NOON / 1000 + 5);
	}

	@Test
	void aSlowReplyDoesNotReplaceAFastOne() {
		learn(Duration.ofMillis(1));
		learn(Duration.ofMillis(500));
		assertThat(this.time.millis()).isGreaterThanOrEqualTo(NOON / 1000 + 500);
	}

	@Test
	void aReplyFromBeforeTheEstimateReplacesIt() {
		learn(Duration.ofMillis(1));
		this.clock.advance(Duration.ofSeconds(1));
		long sentNanos = this.clock.nanoTime();
		this.clock.advance(Duration.ofMillis(500));
		this.time.add("first", sentNanos, NOON - 10_000_000);
		assertThat(micros(this.clock.nanoTime())).isEqualTo(NOON - 10_000_000);
	}

	@Test
	void anOldReplyIsReplacedByASlowerOne() {
		learn(Duration.ofMillis(1));
		this.clock.advance(Duration.ofSeconds(60));
		learn(Duration.ofMillis(10));
		assertThat(this.time.millis()).isEqualTo(NOON / 1000 + 5);
	}

	@Test
	void theTimeIsRequestedOnceAMinute() {
		assertThat(this.time.isDue()).isFalse();
		this.clock.advance(Duration.ofSeconds(61));
		assertThat(this.time.isDue()).isTrue();
		assertThat(this.time.isDue()).isFalse();
	}

	@Test
	void theServerThatIsFurthestBehindCounts() {
		this.servers = Set.of("first", "second");
		tell("first", NOON);
		tell("second", NOON - 7_000_000);
		assertThat(this.time.notAfter(this.clock.nanoTime())).isEqualTo(NOON - 7_000_000);
		assertThat(this.time.millis()).isEqualTo(NOON / 1000 - 7000);
	}

	@Test
	void theTimeIsUnknownUntilAllServersHaveReplied() {
		assertThat(this.time.notAfter(this.clock.nanoTime())).isNull();
		tell("first", NOON);
		this.servers = Set.of("first", "second");
		assertThat(this.time.notAfter(this.clock.nanoTime())).isNull();
	}

	@Test
	void theTimeIsRequestedAtOnceAfterTheServersHaveChanged() {
		tell("first", NOON);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.time.isDue()).isFalse();
		this.servers = Set.of("second");
		assertThat(this.time.isDue()).isTrue();
	}

	@Test
	void aRemovedServerCountsAsLongAsItsWritesMatter() {
		tell("first", NOON);
		this.servers = Set.of("second");
		tell("second", NOON + 5_000_000);
		assertThat(this.time.notAfter(this.clock.nanoTime())).isEqualTo(NOON);
		this.clock.advance(Duration.ofSeconds(31));
		tell("second", NOON + 36_000_000);
		assertThat(this.time.notAfter(this.clock.nanoTime())).isEqualTo(NOON + 36_000_000);
	}

	@Test
	void aServerThatHasReturnedIsNotRemoved() {
		tell("first", NOON);
		this.servers = Set.of("second");
		tell("second", NOON + 5_000_000);
		this.servers = Set.of("first", "second");
		tell("second", NOON + 5_000_000);
		this.clock.advance(Duration.ofSeconds(31));
		tell("second", NOON + 36_000_000);
		assertThat(this.time.notAfter(this.clock.nanoTime())).isLessThan(NOON + 32_000_000);
	}

	private void tell(String server, long micros) {
		this.time.add(server, this.clock.nanoTime(), micros);
	}

	private void learn(Duration roundTrip) {
		long sent = this.clock.nanoTime();
		this.clock.advance(roundTrip);
		this.time.add("first", sent, NOON);
	}

	private long micros(long nanos) {
		return Objects.requireNonNull(this.time.notAfter(nanos));
	}

}
