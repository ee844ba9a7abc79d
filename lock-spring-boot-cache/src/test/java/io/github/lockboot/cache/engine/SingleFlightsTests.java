package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.github.lockboot.cache.CacheListener;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.codec.ValueCodec;
import io.github.lockboot.cache.engine.SingleFlight.Caller;
import io.github.lockboot.cache.protocol.CacheKeys;
import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.CacheStore.AcquireReply;
import io.github.lockboot.concurrent.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

class SingleFlightsTests {

	@Test
	void aThreadThatStartsDuringALoadIsPartOfItAsLongAsItRuns() throws Exception {
		ExecutorService pool = Executors.newSingleThreadExecutor();
		try (CacheStore store = new UnconnectedStore(new CompletableFuture<>())) {
			SingleFlights flights = new SingleFlights(store, UnaryOperator.identity());
			Load load = flights.newLoad(cache(store), List.of());
			assertThat(load.run(() -> pool.submit(flights::currentLoad).get())).isSameAs(load);
			assertThat(pool.submit(flights::currentLoad).get()).isNull();
		}
		finally {
			pool.shutdown();
		}
	}

	@Test
	void aCallerNeverWaitsForAFlightThatIsNotUsed() {
		CompletableFuture<AcquireReply> reply = new CompletableFuture<>();
		try (CacheStore store = new UnconnectedStore(reply)) {
			SingleFlights flights = new SingleFlights(store, UnaryOperator.identity());
			TypedCache cache = cache(store);
			EntryKeys keys = store.keys("product", 1, "42");
			flights.join(cache, keys, List.of(caller()));
			Caller second = caller();
			List<CompletableFuture<?>> awaited = new ArrayList<>();
			flights.join(cache, keys, new ArrayList<>(List.of(second)) {

				/**
				 * Called when the present flight is asked whether it is for the callers.
				 */
				@Override
				public Stream<Caller> stream() {
					awaited.add(second.decided());
					return super.stream();
				}

			});
			reply.complete(new AcquireReply.Taken(1000, true));
			assertThat(awaited).isNotEmpty().allMatch((decision) -> decision == second || decision.isDone());
		}
	}

	@Test
	void theJvmThatHasWaitedLongestAsksFirst() {
		assertThat(LongStream.of(10_000, 4_000, 1_500, 0).map((waited) -> SingleFlight.retryMillis(1_000, waited)))
			.isSorted()
			.doesNotHaveDuplicates()
			.allSatisfy((millis) -> assertThat(millis).isBetween(1_010L, 1_060L));
	}

	private static Caller caller() {
		return new Caller(new SingleFlight.Request(null, false, null, null, false));
	}

	private static TypedCache cache(CacheStore store) {
		return new TypedCache(CacheSpec.of("product", String.class), CacheSettings.defaults(), ValueCodec.json(), null,
				new CacheListener() {
				}, store.time(), new Epochs(store));
	}

	/** Has one reply to each request for a lease. */
	private static final class UnconnectedStore extends CacheStore {

		private final CompletableFuture<AcquireReply> reply;

		UnconnectedStore(CompletableFuture<AcquireReply> reply) {
			super((scripts) -> {
				throw new IllegalStateException("not needed");
			}, "jvm", new CacheKeys("cache:"), Duration.ofSeconds(1), Duration.ofSeconds(30),
					new SystemClock("test-timer"));
			this.reply = reply;
		}

		@Override
		public CompletableFuture<AcquireReply> acquire(EntryKeys keys, Acquisition wanted) {
			return this.reply;
		}

	}

}
