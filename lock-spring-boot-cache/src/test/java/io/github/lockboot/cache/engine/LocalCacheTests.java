package io.github.lockboot.cache.engine;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.protocol.CacheKeys;
import io.github.lockboot.cache.protocol.Envelope;

import static org.assertj.core.api.Assertions.assertThat;

class LocalCacheTests {

	private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();

	private long nanos = Long.MAX_VALUE - 1; // the clock is near its overflow

	private final CacheKeys keys = new CacheKeys("cache:");

	private final LocalCache local = new LocalCache("product",
			CacheSettings.defaults().withLocalTtl(Duration.ofHours(1)));

	private final LocalCache lasting = new LocalCache("product",
			CacheSettings.defaults().withLocalTtl(Duration.ofMinutes(1)).withLocalOutageTtl(Duration.ofHours(1)));

	private final Envelope entry = Objects
		.requireNonNull(Envelope.open(Envelope.seal(1, HOUR_MILLIS, 0, new byte[] { 7 }, null, null), 1));

	@Test
	void aLongKeyIsFoundAndDropped() {
		String key = "\u20ac".repeat(10_000);
		keep(7, key, HOUR_MILLIS);
		assertThat(find(7, key)).isSameAs(this.entry);
		this.local.drop(data(7, key));
		assertThat(find(7, key)).isNull();
	}

	@Test
	void aCopyOfAnotherEpochIsNotFound() {
		keep(7, "42", HOUR_MILLIS);
		assertThat(find(8, "42")).isNull();
	}

	@Test
	void aChangeOfAnotherCacheDropsNothing() {
		keep(7, "42", HOUR_MILLIS);
		this.local.drop(this.keys.entry("producer", 7, "42").data());
		assertThat(find(7, "42")).isNotNull();
	}

	@Test
	void anEntryReadBeforeAChangeIsNotKept() {
		long stamp = this.local.stamp(data(7, "42"));
		this.local.drop(data(7, "42"));
		this.local.keep(view(7), data(7, "42"), this.entry, stamp, HOUR_MILLIS);
		assertThat(find(7, "42")).isNull();
	}

	@Test
	void aCopyExpiresWithItsEntry() {
		keep(7, "42", 50);
		assertThat(find(7, "42")).isNotNull();
		this.nanos += Duration.ofMillis(50).toNanos();
		assertThat(find(7, "42")).isNull();
	}

	@Test
	void aCopyExpiresAfterTheTimeToLiveOfCopies() {
		keep(7, "42", 2 * HOUR_MILLIS);
		this.nanos += Duration.ofHours(1).toNanos() - 1;
		assertThat(find(7, "42")).isNotNull();
		this.nanos++;
		assertThat(find(7, "42")).isNull();
	}

	@Test
	void expiredCopiesMakeRoomForOthers() {
		keep(7, "42", HOUR_MILLIS);
		this.nanos += Duration.ofHours(2).toNanos();
		keep(7, "43", HOUR_MILLIS);
		assertThat(this.local.size()).isEqualTo(1);
	}

	@Test
	void whileMessagesMayBeMissedNoCopyIsFound() {
		keep(7, "42", HOUR_MILLIS);
		this.local.invalidateAll();
		assertThat(find(7, "42")).isNull();
	}

	@Test
	void inAnOutageACopyIsFoundForTheConfiguredTime() {
		keep(this.lasting, 7, "42", HOUR_MILLIS);
		this.nanos += Duration.ofHours(1).toNanos();
		assertThat(findInOutage("42")).isNull();
	}

	@Test
	void inAnOutageNoCopyIsFoundThatMayBeOlderThanTheLastReply() {
		keep(this.lasting, 7, "42", HOUR_MILLIS);
		this.lasting.dropOutdated(data(7, "42"), false);
		assertThat(findInOutage("42")).isNull();
		keep(this.lasting, 7, "42", HOUR_MILLIS);
		this.lasting.invalidateAll();
		this.lasting.dropOutdated(data(7, "42"), true);
		assertThat(findInOutage("42")).isNull();
	}

	@Test
	void aReplyDropsNoCopyWhoseChangesAreFollowed() {
		keep(this.lasting, 7, "42", HOUR_MILLIS);
		this.lasting.dropOutdated(data(7, "42"), true);
		assertThat(findInOutage("42")).isSameAs(this.entry);
	}

	@Test
	void inAnOutageNoCopyIsFoundUnlessConfigured() {
		keep(7, "42", HOUR_MILLIS);
		assertThat(this.local.find(view(7), "42", true)).isNull();
	}

	@Test
	void copiesUseNoMoreBytesThanTheirLimit() {
		LocalCache small = new LocalCache("product",
				CacheSettings.defaults().withLocalTtl(Duration.ofHours(1)).withLocalMaxSize(DataSize.ofBytes(100)));
		for (int i = 10; i < 60; i++) {
			keep(small, 7, String.valueOf(i), HOUR_MILLIS);
		}
		// each has 33 bytes and a key of 2 bytes
		assertThat(small.size()).isEqualTo(2);
	}

	/** In objects around key and entry, and in the tables of Caffeine. */
	@Test
	void aCopyNeedsSome230BytesMoreThanItsKeyAndEntry() {
		LocalCache many = new LocalCache("product",
				CacheSettings.defaults().withLocalTtl(Duration.ofHours(1)).withLocalMaxSize(DataSize.ofBytes(1 << 30)));
		long before = usedHeap();
		for (int i = 0; i < 100_000; i++) {
			String data = data(7, String.format("%08d", i));
			Envelope own = new Envelope(this.entry.bytes().clone());
			many.keep(view(7), data, own, many.stamp(data), HOUR_MILLIS);
		}
		assertThat(many.size()).isEqualTo(100_000);
		assertThat((usedHeap() - before) / many.size() - 8 - this.entry.bytes().length).isBetween(130L, 330L);
	}

	/** Return the least of several figures: other threads allocate meanwhile. */
	private static long usedHeap() {
		return LongStream.generate(() -> {
			System.gc();
			return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
		}).limit(5).min().orElseThrow();
	}

	private @Nullable Envelope findInOutage(String key) {
		return this.lasting.find(view(7), key, true);
	}

	private @Nullable Envelope find(long epoch, String key) {
		return this.local.find(view(epoch), key, false);
	}

	private void keep(long epoch, String key, long lifeMillis) {
		keep(this.local, epoch, key, lifeMillis);
	}

	private void keep(LocalCache local, long epoch, String key, long lifeMillis) {
		String data = data(epoch, key);
		local.keep(view(epoch), data, this.entry, local.stamp(data), lifeMillis);
	}

	private Epochs.EpochView view(long epoch) {
		return new Epochs.EpochView(epoch, this.nanos);
	}

	private String data(long epoch, String key) {
		return this.keys.entry("product", epoch, key).data();
	}

}
