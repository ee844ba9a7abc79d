package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import io.github.lockboot.cache.CacheListener;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.codec.ValueCodec;
import io.github.lockboot.cache.protocol.CacheKeys;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.concurrent.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

class SingleFlightsTests {

	@Test
	void aThreadThatStartsDuringALoadIsPartOfItAsLongAsItRuns() throws Exception {
		ExecutorService pool = Executors.newSingleThreadExecutor();
		try (CacheStore store = new CacheStore((scripts) -> {
			throw new IllegalStateException("not needed");
		}, "jvm", new CacheKeys("cache:"), Duration.ofSeconds(1), Duration.ofSeconds(30),
				new SystemClock("test-timer"))) {
			SingleFlights flights = new SingleFlights(store, UnaryOperator.identity());
			TypedCache cache = new TypedCache(CacheSpec.of("product", String.class), CacheSettings.defaults(),
					ValueCodec.json(), null, new CacheListener() {
					}, store.time());
			Load load = flights.newLoad(cache, List.of());
			assertThat(load.run(() -> pool.submit(flights::currentLoad).get())).isSameAs(load);
			assertThat(pool.submit(flights::currentLoad).get()).isNull();
		}
		finally {
			pool.shutdown();
		}
	}

	@Test
	void theJvmThatHasWaitedLongestAsksFirst() {
		assertThat(LongStream.of(10_000, 4_000, 1_500, 0).map((waited) -> SingleFlight.retryMillis(1_000, waited)))
			.isSorted()
			.doesNotHaveDuplicates()
			.allSatisfy((millis) -> assertThat(millis).isBetween(1_010L, 1_060L));
	}

}
