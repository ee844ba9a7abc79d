package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.util.unit.DataSize;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.engine.CacheFixture.PRODUCT;
import static io.github.lockboot.cache.engine.CacheFixture.join;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which values are stored, for how long, under which version, and how they are restored.
 */
@ExtendWith(OutputCaptureExtension.class)
class StoredValueTests extends WarmCacheTests {

	StoredValueTests(RedisServer redis) {
		super(redis);
	}

	@Test
	@SuppressWarnings("NullAway") // a value may be null
	void aNullIsCached() {
		CacheLoader<String, RuntimeException> loader = () -> {
			this.fixture.loads.incrementAndGet();
			return null;
		};
		assertThat(this.cache.get(PRODUCT, 42, loader)).isNull();
		assertThat(this.cache.get(PRODUCT, 42, loader)).isNull();
		assertThat(this.fixture.loads).hasValue(1);
		assertThat(this.cache.getIfPresent(PRODUCT, 42)).isEqualTo(new CachedValue<>(null));
		assertThat(this.fixture.remainingMillis(42)).isBetween(1L, 30_000L);
	}

	@Test
	@SuppressWarnings("NullAway") // a value may be null
	void aNullIsNotCachedWithoutATimeToLiveForNulls() {
		CacheSpec<String> spec = PRODUCT.with((settings) -> settings.withNullTtl(Duration.ZERO));
		CacheLoader<String, RuntimeException> loader = () -> {
			this.fixture.loads.incrementAndGet();
			return null;
		};
		this.cache.get(spec, 42, loader);
		this.cache.get(spec, 42, loader);
		assertThat(this.fixture.loads).hasValue(2);
		assertThat(this.redis.command("EXISTS", this.fixture.entryKey(42) + ":l")).isEqualTo(0L);
	}

	@Test
	void anOptionalIsRestoredFullOrEmpty() {
		CacheSpec<Optional<String>> spec = CacheSpec.of("optional", new ParameterizedTypeReference<>() {
		});
		this.cache.get(spec, 1, () -> Optional.of("x"));
		this.cache.get(spec, 2, Optional::empty);
		assertThat(this.cache.<Optional<String>, RuntimeException>get(spec, 1, () -> Optional.of("y"))).contains("x");
		assertThat(this.cache.<Optional<String>, RuntimeException>get(spec, 2, () -> Optional.of("y"))).isEmpty();
	}

	@Test
	void aJoinerReceivesItsOwnCopyOfTheValue() {
		CacheSpec<int[]> spec = CacheSpec.of("array", int[].class);
		CountDownLatch started = new CountDownLatch(1);
		CacheLoader<int[], RuntimeException> loader = () -> {
			started.countDown();
			Waiters.await(1);
			return new int[] { 1 };
		};
		Future<int[]> first = this.fixture.async(() -> this.cache.get(spec, 1, loader));
		Awaitility.await().until(() -> started.getCount() == 0);
		Future<int[]> second = this.fixture.async(() -> this.cache.get(spec, 1, () -> new int[] { 2 }));
		assertThat(join(second)).containsExactly(1).isNotSameAs(join(first));
	}

	@ParameterizedTest
	@ValueSource(strings = { "SET", "RPUSH" })
	void garbageAndAKeyOfAnotherTypeAreMissesThatHeal(String command) {
		this.cache.get(PRODUCT, 42, this.fixture::load);
		this.redis.command("DEL", this.fixture.entryKey(42));
		this.redis.command(command, this.fixture.entryKey(42), "garbage");
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 2");
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 2");
		assertThat(this.fixture.count(CacheEvent.UNREADABLE)).isEqualTo(1);
	}

	@Test
	void anotherTypeUnderTheSameNameIsAMissThatHeals() {
		this.cache.get(PRODUCT, 42, this.fixture::load);
		CacheSpec<Integer> changed = CacheSpec.of("product", Integer.class);
		assertThat(this.cache.get(changed, 42, () -> 7)).isEqualTo(7);
		assertThat(this.cache.get(changed, 42, () -> 8)).isEqualTo(7);
	}

	@Test
	void aValueThatIsTooLongIsLoggedOnceWithTheProperty(CapturedOutput output) {
		CacheSpec<String> spec = PRODUCT.with((settings) -> settings.withMaxSize(DataSize.ofBytes(100)));
		for (int i = 0; i < 3; i++) {
			this.cache.get(spec, 42, () -> "x".repeat(200));
		}
		assertThat(output.getOut().split("is not stored: lock.cache.max-size allows 100", -1)).hasSize(2);
	}

	@Test
	void aValueThatCouldNotBeReadIsNotStoredAndLoggedOnce(CapturedOutput output) {
		CacheSpec<WriteOnly> spec = CacheSpec.of("product", WriteOnly.class);
		for (int i = 0; i < 3; i++) {
			assertThat(this.cache.get(spec, 42, () -> new WriteOnly("x")).name()).isEqualTo("x");
		}
		assertThat(this.redis.command("KEYS", this.fixture.entryKey(42) + "*")).isEqualTo(List.of());
		assertThat(output.getOut().split("Values of cache 'product' are not stored", -1)).hasSize(2);
		assertThat(this.fixture.count(CacheEvent.UNREADABLE)).isZero();
	}

	@Test
	void aValueThatWouldBeRestoredAsAnotherIsNotStoredAndLoggedOnceWithTheSolution(CapturedOutput output) {
		CacheSpec<Base> spec = CacheSpec.of("product", Base.class);
		for (int i = 0; i < 3; i++) {
			assertThat(this.cache.get(spec, 42, Sub::new)).isInstanceOf(Sub.class);
		}
		assertThat(this.redis.command("KEYS", this.fixture.entryKey(42) + "*")).isEqualTo(List.of());
		assertThat(output.getOut().split("Values of cache 'product' are not stored", -1)).hasSize(2);
		assertThat(output).contains("a " + Sub.class.getName() + " comes back as a " + Base.class.getName())
			.contains("@JsonTypeInfo for subclasses")
			.contains("lock.cache.caches[product].serializer");
	}

	@Test
	void aPutOfAValueThatIsRestoredAsAnotherEvicts() {
		CacheSpec<Base> spec = CacheSpec.of("product", Base.class);
		this.cache.put(spec, 42, new Base());
		this.cache.put(spec, 42, new Sub());
		assertThat(this.cache.getIfPresent(spec, 42)).isNull();
	}

	@Test
	void theWarningOfATooLongValueDoesNotSuppressThatOfAnother(CapturedOutput output) {
		CacheSpec<Base> spec = CacheSpec.of("product", Base.class)
			.with((settings) -> settings.withMaxSize(DataSize.ofBytes(1)));
		this.cache.get(spec, 41, Base::new);
		this.cache.get(spec, 42, Sub::new);
		assertThat(output).contains("is not stored: lock.cache.max-size allows 1")
			.contains("Values of cache 'product' are not stored");
	}

	@Test
	void aVetoedValueIsSharedAndNotStored() {
		HeldLoad vetoed = new HeldLoad("vetoed") {

			@Override
			public boolean isStorable(String value) {
				return false;
			}

		};
		Future<String> first = this.fixture.async(() -> this.cache.get(PRODUCT, 42, vetoed));
		vetoed.awaitStart();
		Future<String> second = this.fixture.async(() -> this.cache.get(PRODUCT, 42, this.fixture::load));
		Waiters.await(1);
		vetoed.release();
		assertThat(join(first)).isEqualTo("vetoed");
		assertThat(join(second)).isEqualTo("vetoed");
		assertThat(this.redis.command("KEYS", this.fixture.entryKey(42) + "*")).isEqualTo(List.of());
	}

	@Test
	void aValueThatNeverExpiresIsKeptForAYear() {
		assertThat(this.cache.get(PRODUCT, 42, lasting(ChronoUnit.FOREVER.getDuration()))).isEqualTo("x");
		assertThat(this.fixture.remainingMillis(42)).isBetween(TimeUnit.DAYS.toMillis(364),
				TimeUnit.DAYS.toMillis(365));
	}

	private static CacheLoader<String, RuntimeException> lasting(Duration ttl) {
		return new CacheLoader<>() {

			@Override
			public String load() {
				return "x";
			}

			@Override
			public Duration ttlOf(String value) {
				return ttl;
			}

		};
	}

	@Test
	void lifetimesDifferByTheJitter() {
		CacheSpec<String> spec = PRODUCT.with((settings) -> settings.withTtl(Duration.ofSeconds(1000)).withJitter(0.1));
		for (int i = 0; i < 50; i++) {
			this.cache.put(spec, i, "x");
		}
		List<Long> lives = IntStream.range(0, 50).mapToObj(this.fixture::remainingMillis).toList();
		assertThat(lives).allSatisfy((life) -> assertThat(life).isBetween(840_000L, 1_100_000L));
		assertThat(lives).anySatisfy((life) -> assertThat(life).isLessThan(990_000L))
			.anySatisfy((life) -> assertThat(life).isGreaterThan(1_000_000L));
	}

	@Test
	void anEntryThatReachesRedisAfterItsGraceIsNotStored() {
		CacheTemplate late = CacheFixture.warm(this.fixture.intercepted((call) -> {
			if (call.getMethod().getName().equals("store")) {
				Awaitility.await().until(() -> graceEndMillis(42) < System.currentTimeMillis());
			}
			return call.proceed();
		}));
		late.evict(CacheEviction.of("product", 42).withGrace(Duration.ofSeconds(1)));
		assertThat(late.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
		assertThat(late.getIfPresent(PRODUCT, 42)).isNull();
	}

	/** Return when the grace of an evict ends, 0 if there is none. */
	private long graceEndMillis(Object key) {
		String tombstone = String.valueOf(this.redis.command("GET", "cache:product:{product:" + key + "}:t"));
		return tombstone.contains(" ") ? Long.parseLong(tombstone.split(" ")[1]) / 1000 : 0;
	}

	@Test
	void aClearEndsNoGrace() {
		this.cache.evict(CacheEviction.of("product", 42).withGrace(Duration.ofSeconds(20)));
		this.cache.clear("product");
		this.cache.get(PRODUCT, 42, this.fixture::load);
		assertThat(this.fixture.remainingMillis(42)).isBetween(1L, 20_000L);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void anEntryThatRedisKeepsAfterItsTimeIsAMiss(boolean isKeptForOthers) {
		CacheSpec<String> brief = PRODUCT.with((settings) -> settings.withTtl(Duration.ofMillis(200)));
		if (isKeptForOthers) {
			this.cache.put(brief.with((settings) -> settings.withStaleTtl(Duration.ofMinutes(1))), 42, "old");
		}
		else {
			this.cache.put(PRODUCT.with((settings) -> settings.withTtl(Duration.ofSeconds(1))), 42, "old");
			this.redis.command("PERSIST", this.fixture.entryKey(42));
		}
		Awaitility.await().until(() -> this.cache.getIfPresent(brief, 42) == null);
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
	}

	@ParameterizedTest
	@ValueSource(longs = { Long.MIN_VALUE, -2, -1, 0, 1L << 31, 1L << 32, (1L << 53) + 1, Long.MAX_VALUE - 1 })
	void onlyAHigherVersionIsStored(long version) {
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "first", version)).isTrue();
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "again", version)).isFalse();
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "newer", version + 1)).isTrue();
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "late", version)).isFalse();
		assertThat(this.cache.get(PRODUCT, 42, () -> "loaded")).isEqualTo("newer");
	}

	@Test
	void aLoadedValueIsReplaced() {
		this.cache.get(PRODUCT, 42, () -> "loaded");
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "put", 1)).isTrue();
		assertThat(this.cache.get(PRODUCT, 42, () -> "loaded")).isEqualTo("put");
	}

	@Test
	void anEvictForgetsTheVersion() {
		this.cache.putIfNewer(PRODUCT, 42, "two", 2);
		this.cache.evict("product", 42);
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "one", 1)).isTrue();
	}

	@Test
	void theVersionLastsAsLongAsItsEntryWhateverElseRedisEvicts() {
		this.cache.putIfNewer(PRODUCT, 42, "two", 2);
		this.redis.list("KEYS", "*")
			.stream()
			.filter((key) -> !key.endsWith("}") && !key.endsWith(":epoch"))
			.forEach((key) -> this.redis.command("DEL", key));
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "one", 1)).isFalse();
		assertThat(this.cache.get(PRODUCT, 42, () -> "loaded")).isEqualTo("two");
	}

	@Test
	void aRefreshKeepsTheVersion() {
		this.cache.putIfNewer(PRODUCT, 42, "two", 2);
		assertThat(this.cache.refresh(PRODUCT, 42, () -> "refreshed").orTimeout(20, TimeUnit.SECONDS).join()).isTrue();
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "one", 1)).isFalse();
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "three", 3)).isTrue();
	}

	@Test
	void anOldValueThatMayNotBeStoredDoesNotEvictANewerOne() {
		CacheSpec<String> brief = PRODUCT.with((settings) -> settings.withMaxSize(DataSize.ofBytes(100)));
		this.cache.putIfNewer(brief, 42, "newer", 2);
		assertThat(this.cache.putIfNewer(brief, 42, "x".repeat(200), 1)).isFalse();
		assertThat(this.cache.get(brief, 42, () -> "loaded")).isEqualTo("newer");
	}

	static class Base {

		public int number = 1;

	}

	static class Sub extends Base {

		public int more = 2;

	}

	static class WriteOnly {

		private final String text;

		WriteOnly(String text, int... more) {
			this.text = text;
		}

		String name() {
			return this.text;
		}

		public String getText() {
			return this.text;
		}

	}

}
