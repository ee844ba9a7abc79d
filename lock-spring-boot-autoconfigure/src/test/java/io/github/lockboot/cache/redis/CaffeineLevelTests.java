package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.protocol.CacheKeys;
import io.github.lockboot.cache.protocol.Envelope;

import static org.assertj.core.api.Assertions.assertThat;

class CaffeineLevelTests {

	private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();

	private long nanos = Long.MAX_VALUE - 1; // as near its overflow as a clock may be

	private final CacheKeys keys = new CacheKeys("cache:");

	private final CaffeineLevel level = new CaffeineLevel("product",
			CacheSettings.defaults().withLocalTtl(Duration.ofHours(1)));

	private final Envelope entry = Objects
		.requireNonNull(Envelope.open(Envelope.seal(1, HOUR_MILLIS, 0, new byte[] { 7 }), 1));

	@ParameterizedTest
	@ValueSource(strings = { "42", "", "a}b{c", "\u20ac" })
	void aCopyIsFoundByItsKey(String key) {
		keep(7, key, HOUR_MILLIS);
		assertThat(find(7, key)).isSameAs(this.entry);
	}

	@Test
	void aLongKeyIsFoundAndDropped() {
		String key = "\u20ac".repeat(10_000);
		keep(7, key, HOUR_MILLIS);
		assertThat(find(7, key)).isSameAs(this.entry);
		this.level.drop(data(7, key));
		assertThat(find(7, key)).isNull();
	}

	@Test
	void aCopyOfAnotherEpochIsNotFound() {
		keep(7, "42", HOUR_MILLIS);
		assertThat(find(8, "42")).isNull();
	}

	@Test
	void aDroppedCopyIsNotFound() {
		keep(7, "42", HOUR_MILLIS);
		this.level.drop(data(7, "42"));
		assertThat(find(7, "42")).isNull();
	}

	@Test
	void aChangeOfAnotherCacheDropsNothing() {
		keep(7, "42", HOUR_MILLIS);
		this.level.drop(this.keys.entry("producer", 7, "42").data());
		assertThat(find(7, "42")).isNotNull();
	}

	@Test
	void whatWasReadBeforeAChangeIsNotKept() {
		long stamp = this.level.stamp(data(7, "42"));
		this.level.drop(data(7, "42"));
		this.level.keep(sight(7), data(7, "42"), this.entry, stamp, HOUR_MILLIS);
		assertThat(find(7, "42")).isNull();
	}

	@Test
	void aCopyEndsWithItsEntry() {
		keep(7, "42", 50);
		assertThat(find(7, "42")).isNotNull();
		this.nanos += Duration.ofMillis(50).toNanos();
		assertThat(find(7, "42")).isNull();
	}

	@Test
	void aCopyEndsWithTheTimeOfCopies() {
		keep(7, "42", 2 * HOUR_MILLIS);
		this.nanos += Duration.ofHours(1).toNanos() - 1;
		assertThat(find(7, "42")).isNotNull();
		this.nanos++;
		assertThat(find(7, "42")).isNull();
	}

	@Test
	void copiesThatHaveEndedMakeRoomForOthers() {
		keep(7, "42", HOUR_MILLIS);
		this.nanos += Duration.ofHours(2).toNanos();
		keep(7, "43", HOUR_MILLIS);
		assertThat(this.level.size()).isEqualTo(1);
	}

	private @Nullable Envelope find(long epoch, String key) {
		return this.level.find(sight(epoch), key);
	}

	private void keep(long epoch, String key, long lifeMillis) {
		String data = data(epoch, key);
		this.level.keep(sight(epoch), data, this.entry, this.level.stamp(data), lifeMillis);
	}

	private Epochs.Sight sight(long epoch) {
		return new Epochs.Sight(epoch, this.nanos);
	}

	private String data(long epoch, String key) {
		return this.keys.entry("product", epoch, key).data();
	}

}
