package io.github.lockboot.cache.redis;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.cache.CacheListener;
import io.github.lockboot.cache.codec.ValueCodec;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.redis.connection.ConnectionSettings;

import static org.assertj.core.api.Assertions.assertThat;

class SingleFlightsTests {

	@Test
	void aThreadThatStartsDuringALoadIsPartOfItAsLongAsItRuns() throws Exception {
		ExecutorService pool = Executors.newSingleThreadExecutor();
		try (CacheStore store = RedisCacheSettings.defaults()
			.newStore(ConnectionSettings.of(new LettuceConnectionFactory()), new SystemClock("test-timer"))) {
			SingleFlights flights = new SingleFlights(store, CacheThreads.defaults());
			TypedCache cache = new TypedCache(CacheFixture.PRODUCT, CacheFixture.DEFAULTS, ValueCodec.json(), null,
					new CacheListener() {
					}, store.time());
			Load load = flights.newLoad(cache, List.of());
			assertThat(load.run(() -> pool.submit(flights::currentLoad).get())).isSameAs(load);
			assertThat(pool.submit(flights::currentLoad).get()).isNull();
		}
		finally {
			pool.shutdown();
		}
	}

}
