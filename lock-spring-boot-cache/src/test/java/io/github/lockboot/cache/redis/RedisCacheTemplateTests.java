package io.github.lockboot.cache.redis;

import java.io.IOException;
import java.math.BigInteger;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.util.unit.DataSize;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheInterruptedException;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CacheWaitTimeoutException;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.OnWaitTimeout;
import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static io.github.lockboot.cache.redis.CacheFixture.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * One or two templates on a healthy Redis.
 */
@RedisTest
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class RedisCacheTemplateTests {

	private final RedisServer redis;

	private final CacheFixture fixture;

	private final RedisCacheTemplate cache;

	private final AtomicInteger loads = new AtomicInteger();

	RedisCacheTemplateTests(RedisServer redis) {
		this.redis = redis;
		this.fixture = new CacheFixture(redis);
		this.cache = this.fixture.template();
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void aKeyPrefixWithABraceIsRefused() {
		RedisCacheSettings settings = RedisCacheSettings.defaults();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RedisCacheSettings("{x}", settings.commandTimeout(), settings.snapshotWindow()))
			.withMessageContaining("must not contain '{'");
	}

	@Test
	void aMissIsLoadedAndAHitIsNot() {
		assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value 1");
		assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value 1");
		assertThat(this.loads).hasValue(1);
	}

	@Test
	void anotherJvmFindsTheEntry() {
		this.cache.get(PRODUCT, 42, this::load);
		assertThat(this.fixture.template().get(PRODUCT, 42, this::load)).isEqualTo("value 1");
		assertThat(this.loads).hasValue(1);
	}

	@Test
	void anotherKeyIsAnotherEntry() {
		this.cache.get(PRODUCT, 42, this::load);
		assertThat(this.cache.get(PRODUCT, 43, this::load)).isEqualTo("value 2");
	}

	@Test
	void manyCallersOfOneJvmLoadOnce() {
		assertThat(this.fixture.inThreads(200, (i) -> this.cache.get(PRODUCT, 42, this::slowLoad)))
			.containsOnly("value 1");
		assertThat(this.loads).hasValue(1);
	}

	@Test
	void callersOfTwoTemplatesLoadOnce() {
		RedisCacheTemplate other = this.fixture.template();
		assertThat(this.fixture.inThreads(100,
				(i) -> ((i % 2 == 0) ? this.cache : other).get(PRODUCT, 42, this::slowLoad)))
			.containsOnly("value 1");
		assertThat(this.loads).hasValue(1);
	}

	@Test
	void aCallerThatWaitsForAnEntryTooLongForAPushReadsIt() {
		RedisCacheTemplate other = this.fixture.template();
		CacheLoader<String, RuntimeException> large = () -> slowLoad() + "x".repeat(10_000);
		assertThat(this.fixture.inThreads(20, (i) -> ((i % 2 == 0) ? this.cache : other).get(PRODUCT, 42, large)))
			.allSatisfy((value) -> assertThat(value).startsWith("value 1x"));
		assertThat(this.loads).hasValue(1);
	}

	@Test
	void loadsOfDifferentKeysDoNotWaitForEachOther() throws Exception {
		CountDownLatch bothRun = new CountDownLatch(2);
		CacheLoader<String, InterruptedException> meeting = () -> {
			bothRun.countDown();
			return bothRun.await(20, TimeUnit.SECONDS) ? "met" : "alone";
		};
		Future<String> first = this.fixture.async(() -> this.cache.get(PRODUCT, 1, meeting));
		assertThat(this.cache.get(PRODUCT, 2, meeting)).isEqualTo("met");
		assertThat(join(first)).isEqualTo("met");
	}

	@Test
	void aHitDoesNotWaitForALoad() {
		this.cache.get(PRODUCT, 1, this::load);
		try (HeldLoad held = new HeldLoad("late")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(PRODUCT, 2, held));
			held.awaitStart();
			assertThat(this.cache.get(PRODUCT, 1, this::load)).isEqualTo("value 1");
			assertThat(loading.isDone()).isFalse();
		}
	}

	@Test
	void aFailureIsSharedAndNothingIsCached() {
		HeldLoad failing = new HeldLoad(null);
		Future<?> first = this.fixture.async(() -> failureOf(failing));
		failing.awaitStart();
		List<Future<Throwable>> others = IntStream.range(0, 10)
			.mapToObj((i) -> this.fixture.async(() -> failureOf(this::load)))
			.toList();
		Waiters.await(10);
		failing.release();
		assertThat(join(first)).isInstanceOf(IllegalStateException.class);
		assertThat(others).allSatisfy((other) -> assertThat(join(other)).isSameAs(join(first)));
		assertThat(this.loads).hasValue(0);
		assertThat(this.cache.getIfPresent(PRODUCT, 42)).isNull();
	}

	@Test
	void aCheckedExceptionIsThrownUnchanged() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.cache.get(PRODUCT, 42, () -> {
			throw new IOException("no");
		})).withMessage("no");
	}

	@Test
	void afterAFailureTheNextCallLoads() {
		failureOf(() -> {
			throw new IllegalStateException("no");
		});
		assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value 1");
	}

	@Test
	void evictThenGetLoadsAnew() {
		for (int i = 1; i <= 200; i++) {
			assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value " + i);
			this.cache.evict("product", 42);
		}
	}

	@Test
	void putThenGetFindsIt() {
		for (int i = 1; i <= 200; i++) {
			this.cache.put(PRODUCT, 42, "put " + i);
			assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("put " + i);
		}
		assertThat(this.loads).hasValue(0);
	}

	@Test
	void anEvictDuringALoadWins() {
		try (HeldLoad old = new HeldLoad("old")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(PRODUCT, 42, old));
			old.awaitStart();
			this.cache.evict("product", 42);
			old.release();
			assertThat(join(loading)).isEqualTo("old");
			assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value 1");
		}
		assertThat(this.fixture.count(CacheEvent.REFUSED)).isEqualTo(1);
	}

	@Test
	void anEvictOfAnotherJvmDuringALoadWins() {
		RedisCacheTemplate other = this.fixture.template();
		try (HeldLoad old = new HeldLoad("old")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(PRODUCT, 42, old));
			old.awaitStart();
			other.evict("product", 42);
			// joins the load that started before the evict
			Future<String> joiner = this.fixture.async(() -> this.cache.get(PRODUCT, 42, this::load));
			Waiters.await(1);
			old.release();
			assertThat(join(loading)).isEqualTo("old");
			assertThat(join(joiner)).isEqualTo("value 1");
		}
	}

	@Test
	void aPutDuringALoadWins() {
		RedisCacheTemplate other = this.fixture.template();
		try (HeldLoad old = new HeldLoad("old")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(PRODUCT, 42, old));
			old.awaitStart();
			other.put(PRODUCT, 42, "put");
			old.release();
			assertThat(join(loading)).isEqualTo("old");
			assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("put");
		}
	}

	@Test
	void anOldLoadThatEndsLastIsNotStored() {
		try (HeldLoad old = new HeldLoad("old")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(PRODUCT, 42, old));
			old.awaitStart();
			this.cache.evict("product", 42);
			assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value 1");
			old.release();
			assertThat(join(loading)).isEqualTo("old");
		}
		assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value 1");
	}

	@Test
	void aClearTouchesOneKeyAndAllEntriesAreGone() {
		for (int i = 0; i < 100; i++) {
			this.cache.get(PRODUCT, i, this::load);
		}
		long calls = this.redis.commandsDuring(() -> this.cache.clear("product")).total();
		assertThat(calls).isLessThan(10);
		assertThat(this.cache.getIfPresent(PRODUCT, 42)).isNull();
	}

	@Test
	void anotherJvmIsNotifiedOfAClear() {
		RedisCacheTemplate other = this.fixture.template();
		other.get(PRODUCT, 42, this::load);
		this.cache.clear("product");
		Awaitility.await().untilAsserted(() -> assertThat(other.getIfPresent(PRODUCT, 42)).isNull());
	}

	@Test
	void aLoadFromBeforeAClearIsNotFoundAfterIt() {
		try (HeldLoad old = new HeldLoad("old")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(PRODUCT, 42, old));
			old.awaitStart();
			this.cache.clear("product");
			assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value 1");
			old.release();
			assertThat(join(loading)).isEqualTo("old");
		}
		assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value 1");
	}

	@Test
	void anEvictOfAJvmThatMissedAClearIsEffective() {
		RedisCacheTemplate other = this.fixture.template();
		other.get(PRODUCT, 42, this::load);
		// this one has no message
		String epoch = String.valueOf(this.redis.command("GET", "cache:product:epoch"));
		this.redis.command("SET", "cache:product:epoch", String.valueOf(Long.parseLong(epoch) + 1_000_000));
		RedisCacheTemplate fresh = this.fixture.template();
		fresh.get(PRODUCT, 42, this::load);
		other.evict("product", 42);
		assertThat(fresh.getIfPresent(PRODUCT, 42)).isNull();
	}

	@Test
	void aLostEpochIsReplacedAndNoOldEntryIsFound() {
		this.cache.get(PRODUCT, 42, this::load);
		this.redis.command("DEL", "cache:product:epoch");
		assertThat(this.fixture.template().get(PRODUCT, 42, this::load)).isEqualTo("value 2");
	}

	@Test
	@SuppressWarnings("NullAway") // a value may be null
	void aNullIsCached() {
		CacheLoader<String, RuntimeException> loader = () -> {
			this.loads.incrementAndGet();
			return null;
		};
		assertThat(this.cache.get(PRODUCT, 42, loader)).isNull();
		assertThat(this.cache.get(PRODUCT, 42, loader)).isNull();
		assertThat(this.loads).hasValue(1);
		assertThat(this.cache.getIfPresent(PRODUCT, 42)).isEqualTo(new CachedValue<>(null));
		assertThat(remainingMillis(42)).isBetween(1L, 30_000L);
	}

	@Test
	@SuppressWarnings("NullAway") // a value may be null
	void aNullIsNotCachedWithoutATimeToLiveForNulls() {
		CacheSpec<String> spec = PRODUCT.with((settings) -> settings.withNullTtl(Duration.ZERO));
		CacheLoader<String, RuntimeException> loader = () -> {
			this.loads.incrementAndGet();
			return null;
		};
		this.cache.get(spec, 42, loader);
		this.cache.get(spec, 42, loader);
		assertThat(this.loads).hasValue(2);
		assertThat(this.redis.command("EXISTS", entryKey(42) + ":l")).isEqualTo(0L);
	}

	@Test
	void aNullWhereAnOptionalShouldBeIsNotStored() {
		CacheSpec<Titled> spec = CacheSpec.of("titled", Titled.class);
		this.cache.get(spec, 1, () -> new Titled(Optional.of("x")));
		this.cache.get(spec, 2, () -> new Titled(null));
		assertThat(this.cache.getIfPresent(spec, 1)).isNotNull();
		assertThat(this.cache.getIfPresent(spec, 2)).isNull();
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
	void aGenericValueIsRestoredEqual() {
		CacheSpec<Map<String, List<Rec>>> spec = CacheSpec.of("generic", new ParameterizedTypeReference<>() {
		});
		Map<String, List<Rec>> value = Map.of("a", List.of(new Rec(1, "x")));
		this.cache.get(spec, 1, () -> value);
		assertThat(this.cache.get(spec, 1, Map::of)).isEqualTo(value);
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

	@Test
	void anOpenTypeIsRejected() {
		CacheSpec<List<Object>> spec = CacheSpec.of("open", new ParameterizedTypeReference<>() {
		});
		assertThatIllegalArgumentException().isThrownBy(() -> this.cache.get(spec, 1, List::of))
			.withMessageContaining("java.lang.Object does not say what they are");
	}

	@Test
	void garbageIsAMissThatHeals() {
		this.cache.get(PRODUCT, 42, this::load);
		this.redis.command("SET", entryKey(42), "garbage");
		assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value 2");
		assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value 2");
		assertThat(this.fixture.count(CacheEvent.UNREADABLE)).isEqualTo(1);
	}

	@Test
	void aKeyOfAnotherTypeHeals() {
		this.cache.get(PRODUCT, 42, this::load);
		this.redis.command("DEL", entryKey(42));
		this.redis.command("RPUSH", entryKey(42), "x");
		assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value 2");
		assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value 2");
	}

	@Test
	void anotherTypeUnderTheSameNameIsAMissThatHeals() {
		this.cache.get(PRODUCT, 42, this::load);
		CacheSpec<Integer> changed = CacheSpec.of("product", Integer.class);
		assertThat(this.cache.get(changed, 42, () -> 7)).isEqualTo(7);
		assertThat(this.cache.get(changed, 42, () -> 8)).isEqualTo(7);
	}

	@Test
	void aValueThatIsTooLongIsReturnedAndNotStored() {
		CacheSpec<String> spec = PRODUCT.with((settings) -> settings.withMaxSize(DataSize.ofBytes(100)));
		assertThat(this.cache.get(spec, 42, () -> "x".repeat(200))).hasSize(200);
		assertThat(this.redis.command("EXISTS", entryKey(42))).isEqualTo(0L);
		assertThat(this.fixture.count(CacheEvent.TOO_LONG)).isEqualTo(1);
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
		assertThat(this.redis.command("KEYS", entryKey(42) + "*")).isEqualTo(List.of());
		assertThat(output.getOut().split("Values of cache 'product' are not stored", -1)).hasSize(2);
		assertThat(this.fixture.count(CacheEvent.UNREADABLE)).isZero();
	}

	@Test
	void aValueWithPropertiesHiddenFromClientsIsTheSameAtTheSecondCall() {
		CacheSpec<Account> spec = CacheSpec.of("product", Account.class);
		for (int i = 0; i < 2; i++) {
			assertThat(this.cache.get(spec, 42, () -> Account.of("secret " + this.loads.incrementAndGet())).password)
				.isEqualTo("secret 1");
		}
	}

	@Test
	void aValueThatWouldBeRestoredAsAnotherIsNotStoredAndLoggedOnceWithTheSolution(CapturedOutput output) {
		CacheSpec<Base> spec = CacheSpec.of("product", Base.class);
		for (int i = 0; i < 3; i++) {
			assertThat(this.cache.get(spec, 42, Sub::new)).isInstanceOf(Sub.class);
		}
		assertThat(this.redis.command("KEYS", entryKey(42) + "*")).isEqualTo(List.of());
		assertThat(output.getOut().split("Values of cache 'product' are not stored", -1)).hasSize(2);
		assertThat(output).contains("a " + Sub.class.getName() + " comes back as a " + Base.class.getName())
			.contains("@JsonTypeInfo for subclasses")
			.contains("lock.cache.caches[product].serializer");
	}

	@Test
	void aLaterValueIsNotStoredEitherIfItIsRestoredAsAnother() {
		CacheSpec<Base> spec = CacheSpec.of("product", Base.class);
		this.cache.get(spec, 41, Base::new);
		assertThat(this.redis.command("EXISTS", entryKey(41))).isEqualTo(1L);
		this.cache.get(spec, 42, Sub::new);
		assertThat(this.redis.command("EXISTS", entryKey(42))).isEqualTo(0L);
	}

	@Test
	void aLaterValueThatCannotBeReadIsLoggedOnce(CapturedOutput output) {
		CacheSpec<BigInteger> spec = CacheSpec.of("product", BigInteger.class);
		this.cache.get(spec, 41, () -> BigInteger.ONE);
		// Jackson writes more digits than it reads
		BigInteger huge = BigInteger.TWO.pow(4000);
		for (int i = 0; i < 4; i++) {
			assertThat(this.cache.get(spec, 42, () -> huge)).isEqualTo(huge);
		}
		assertThat(output.getOut().split("Values of cache 'product' are not stored", -1)).hasSize(2);
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
		Future<String> second = this.fixture.async(() -> this.cache.get(PRODUCT, 42, this::load));
		Waiters.await(1);
		vetoed.release();
		assertThat(join(first)).isEqualTo("vetoed");
		assertThat(join(second)).isEqualTo("vetoed");
		assertThat(this.redis.command("KEYS", entryKey(42) + "*")).isEqualTo(List.of());
	}

	@Test
	void theTtlMayDependOnTheValue() {
		this.cache.get(PRODUCT, 42, lasting(Duration.ofSeconds(7)));
		assertThat(remainingMillis(42)).isBetween(1L, 7_000L);
	}

	@Test
	void aValueThatNeverExpiresIsKeptForAYear() {
		assertThat(this.cache.get(PRODUCT, 42, lasting(ChronoUnit.FOREVER.getDuration()))).isEqualTo("x");
		assertThat(remainingMillis(42)).isBetween(TimeUnit.DAYS.toMillis(364), TimeUnit.DAYS.toMillis(365));
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
		List<Long> lives = IntStream.range(0, 50).mapToObj(this::remainingMillis).toList();
		assertThat(lives).allSatisfy((life) -> assertThat(life).isBetween(840_000L, 1_100_000L));
		assertThat(lives).anySatisfy((life) -> assertThat(life).isLessThan(990_000L))
			.anySatisfy((life) -> assertThat(life).isGreaterThan(1_000_000L));
	}

	@Test
	void duringAGraceAnEntryIsKeptNoLongerThanTheGrace() {
		this.cache.evict(CacheEviction.of("product", 42).withGrace(Duration.ofSeconds(20)));
		this.cache.get(PRODUCT, 42, this::load);
		assertThat(remainingMillis(42)).isBetween(1L, 20_000L);
	}

	@Test
	void anEntryThatReachesRedisAfterItsGraceIsNotStored() {
		RedisCacheTemplate late = CacheFixture
			.warm(this.fixture.template(CacheFixture.PATIENT, (store) -> InterceptedStore.around(store, (call) -> {
				if (call.getMethod().getName().equals("store")) {
					Awaitility.await().until(() -> graceEndMillis(42) < System.currentTimeMillis());
				}
				return call.proceed();
			})));
		late.evict(CacheEviction.of("product", 42).withGrace(Duration.ofSeconds(1)));
		assertThat(late.get(PRODUCT, 42, this::load)).isEqualTo("value 1");
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
		this.cache.get(PRODUCT, 42, this::load);
		assertThat(remainingMillis(42)).isBetween(1L, 20_000L);
	}

	@Test
	void anotherProgramCanEvict() {
		this.cache.get(PRODUCT, 42, this::load);
		this.redis.command("DEL", entryKey(42), entryKey(42) + ":l");
		assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value 2");
	}

	@Test
	void aLoaderThatReadsItsOwnEntryLoadsDirectly() {
		assertThat(this.cache.get(PRODUCT, 42, () -> "outer " + this.cache.get(PRODUCT, 42, this::load)))
			.isEqualTo("outer value 1");
		assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("outer value 1");
	}

	@Test
	void aCallerLoadsWhenItsWaitTimeEnds() {
		CacheSpec<String> impatient = PRODUCT.with((settings) -> settings.withWaitTimeout(Duration.ofMillis(1)));
		RedisCacheTemplate hasty = this.fixture.hasty();
		try (HeldLoad held = new HeldLoad("late")) {
			this.fixture.async(() -> this.cache.get(PRODUCT, 42, held));
			held.awaitStart();
			assertThat(hasty.get(impatient, 42, this::load)).isEqualTo("value 1");
		}
	}

	@Test
	void aCallerFailsWhenItsWaitTimeEndsIfConfigured() {
		CacheSpec<String> impatient = PRODUCT
			.with((settings) -> settings.withWaitTimeout(Duration.ofMillis(1)).withOnWaitTimeout(OnWaitTimeout.FAIL));
		RedisCacheTemplate hasty = this.fixture.hasty();
		try (HeldLoad held = new HeldLoad("late")) {
			this.fixture.async(() -> this.cache.get(PRODUCT, 42, held));
			held.awaitStart();
			assertThatExceptionOfType(CacheWaitTimeoutException.class)
				.isThrownBy(() -> hasty.get(impatient, 42, this::load));
		}
		assertThat(this.loads).hasValue(0);
	}

	@Test
	void anInterruptedCallerDoesNotAffectTheOthers() throws Exception {
		try (HeldLoad held = new HeldLoad("value")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(PRODUCT, 42, held));
			held.awaitStart();
			AtomicInteger interrupted = new AtomicInteger();
			Thread waiting = new Thread(() -> {
				try {
					this.cache.get(PRODUCT, 42, this::load);
				}
				catch (CacheInterruptedException ex) {
					interrupted.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 100);
				}
			});
			waiting.start();
			Waiters.await(1);
			waiting.interrupt();
			waiting.join(20_000);
			assertThat(interrupted).hasValue(1);
			held.release();
			assertThat(join(loading)).isEqualTo("value");
		}
	}

	@Test
	void anInterruptedCallerThatWaitsForNoOtherLoads() {
		Thread.currentThread().interrupt();
		try {
			assertThat(this.cache.get(PRODUCT, 42, this::load)).isEqualTo("value 1");
		}
		finally {
			assertThat(Thread.interrupted()).isTrue();
		}
	}

	@Test
	void aLoadThatLastsLongerThanItsLeaseIsTheOnlyOne() {
		CacheSpec<String> brief = PRODUCT.with((settings) -> settings.withLease(Duration.ofMillis(600)));
		RedisCacheTemplate other = this.fixture.template();
		try (HeldLoad held = new HeldLoad("value")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(brief, 42, held));
			held.awaitStart();
			long start = System.nanoTime();
			Future<String> waiting = this.fixture.async(() -> other.get(brief, 42, this::load));
			Awaitility.await().until(() -> System.nanoTime() - start > 2_000_000_000L);
			held.release();
			assertThat(join(loading)).isEqualTo("value");
			assertThat(join(waiting)).isEqualTo("value");
		}
		assertThat(this.loads).hasValue(0);
	}

	@Test
	void costsAreAsPromised() {
		this.cache.get(PRODUCT, 1, this::load);
		// the epoch may be read as well, once a second
		Awaitility.await().pollInterval(Duration.ofMillis(1)).untilAsserted(() -> {
			int key = this.loads.get() + 1000;
			CommandCounts miss = this.redis.commandsDuring(() -> this.cache.get(PRODUCT, key, this::load));
			CommandCounts hit = this.redis.commandsDuring(() -> this.cache.get(PRODUCT, key, this::load));
			CommandCounts evict = this.redis.commandsDuring(() -> this.cache.evict("product", key));
			// the two scripts of a miss read three keys
			assertThat(List.of(miss.of("evalsha"), miss.of("get"))).containsExactly(2L, 1 + 3L);
			assertThat(hit.calls()).isEqualTo(Map.of("get", 1L));
			// the second one, sent at the same time, reads the epoch
			assertThat(evict.of("evalsha")).isEqualTo(2);
		});
	}

	@Test
	void aFillPublishesNothing() {
		this.cache.get(PRODUCT, 2, this::load); // creates the epoch, which is published
		assertThat(this.redis.commandsDuring(() -> this.cache.get(PRODUCT, 1, this::load)).of("publish")).isZero();
	}

	private String load() {
		return "value " + this.loads.incrementAndGet();
	}

	private String slowLoad() {
		String value = load();
		long start = System.nanoTime();
		Awaitility.await().until(() -> System.nanoTime() - start > 300_000_000L);
		return value;
	}

	private Throwable failureOf(CacheLoader<String, RuntimeException> loader) {
		try {
			return new AssertionError("No failure but " + this.cache.get(PRODUCT, 42, loader));
		}
		catch (IllegalStateException ex) {
			return ex;
		}
	}

	private String entryKey(int key) {
		String epoch = String.valueOf(this.redis.command("GET", "cache:product:epoch"));
		return "cache:product:" + epoch + ":{product:" + key + "}";
	}

	private long remainingMillis(int key) {
		return (Long) Objects.requireNonNull(this.redis.command("PTTL", entryKey(key)));
	}

	record Rec(int id, String name) {
	}

	/** Has a property to write, but no constructor that Jackson could call. */
	static class Account {

		@JsonIgnore
		private String password = "";

		static Account of(String password) {
			Account account = new Account();
			account.password = password;
			return account;
		}

	}

	record Titled(@Nullable Optional<String> title) {
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
