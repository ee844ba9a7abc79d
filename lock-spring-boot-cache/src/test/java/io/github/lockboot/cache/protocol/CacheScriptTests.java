package io.github.lockboot.cache.protocol;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.cache.protocol.RedisCommands.CacheScript;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.ListeningJvm;
import io.github.lockboot.redis.connection.Applications;
import io.github.lockboot.redis.connection.ConnectionSettings;
import io.github.lockboot.redis.connection.Connections;
import io.github.lockboot.redis.connection.RedisConnection;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The scripts of loads ({@code acquire}, {@code store}, {@code abandon}, {@code renew}),
 * of changes ({@code evict}, {@code put}, and {@code step}, which replaces both while a
 * slot is migrated), and of epochs ({@code epoch}, {@code clear}).
 */
@RedisTest
@DependsOnRedisVersion
class CacheScriptTests {

	private static final long LEASE = 30_000;

	private static final long LIFE = 60_000;

	private static final long MEMORY = 5_000;

	private static final int LONGEST = 64;

	private static final String CHANNELS = "cache:inbox:";

	private static final String CHANGES = "cache:product:changes";

	private static final String ENTRY = "0123456789abcdef0123456789abcdef payload";

	private final RedisServer redis;

	@AutoClose
	private final ScriptClient client;

	CacheScriptTests(RedisServer redis) {
		this.redis = redis;
		this.client = new ScriptClient(redis);
	}

	@Test
	void aTransactionIsToldOfAClockThatWasSetBack() {
		long now = this.client.timeMicros();
		assertThat(this.client.acquire("a", "", "", String.valueOf(now), now + 10_000_000)).containsExactly(4L, 0L);
		assertThat(this.client.acquire("a", "", "", String.valueOf(now), now)).containsExactly(2L, 0L);
	}

	@Test
	void anEntryIsReturnedWhileAnotherCallerLoads() {
		this.client.acquire("a");
		this.redis.command("SET", this.client.keys.data(), ENTRY);
		assertThat(this.client.acquire("b")).containsExactly(1L, ENTRY);
	}

	@Test
	void theFirstCallerAcquiresTheLeaseAndTheSecondReceivesItsRemainingTime() {
		assertThat(this.client.acquire("a")).containsExactly(2L, 0L);
		assertThat(this.client.lease()).isEqualTo("a");
		assertThat(this.client.remainingMillis(this.client.keys.lease())).isBetween(LEASE - 10_000, LEASE);
		List<Object> reply = this.client.acquire("b");
		assertThat(reply.get(0)).isEqualTo(3L);
		assertThat((Long) reply.get(1)).isBetween(LEASE - 10_000, LEASE);
		assertThat(this.client.lease()).isEqualTo("a");
	}

	@Test
	void onlyACallerThatWaitsIsRecordedForLongerThanTheLease() {
		this.client.acquire("a");
		this.client.acquire("b");
		assertThat(this.client.exists(this.client.keys.waiters())).isFalse();
		this.client.acquire("b", "", "jvm1", "");
		assertThat(this.redis.command("SMEMBERS", this.client.keys.waiters())).isEqualTo(List.of("jvm1:b"));
		assertThat(this.client.remainingMillis(this.client.keys.waiters())).isGreaterThan(LEASE);
	}

	/** Times of an evict, of the end of its grace, and of the view, from now on. */
	@ParameterizedTest
	@CsvSource({ "0, , -1, true", "0, , 1, false", "-3000, -1000, -2000, true", "-3000, -1000, 0, false" })
	void aViewFromBeforeAnEvictOrTheEndOfItsGraceAcquiresNoLease(long evicted, @Nullable Long graceEnd, long seen,
			boolean outdated) {
		long now = this.client.timeMicros();
		this.redis.command("SET", this.client.keys.tombstone(),
				(now + evicted) + ((graceEnd != null) ? " " + (now + graceEnd) : ""), "PX", "5000");
		assertThat(this.client.acquire("a", "", "", "" + (now + seen)).get(0)).isEqualTo(outdated ? 4L : 2L);
		assertThat(this.client.exists(this.client.keys.lease())).isEqualTo(!outdated);
	}

	@Test
	void duringAGraceTheLeaseContainsTheRemainingGrace() {
		this.client.evict(20_000);
		List<Object> reply = this.client.acquire("a");
		assertThat(reply.get(0)).isEqualTo(2L);
		assertThat((Long) reply.get(1)).isBetween(1L, 20_000L);
	}

	@Test
	void aLeaseWithoutExpiryReceivesOne() {
		this.redis.command("SET", this.client.keys.lease(), "legacy");
		assertThat(this.client.acquire("a")).containsExactly(3L, LEASE);
		assertThat(this.client.remainingMillis(this.client.keys.lease())).isPositive();
	}

	@Test
	void onlyTheRejectedEntryIsTreatedAsMissing() {
		this.redis.command("SET", this.client.keys.data(), ENTRY);
		assertThat(this.client.acquire("a", "x".repeat(32), "", "")).containsExactly(1L, ENTRY);
		assertThat(this.client.acquire("a", ENTRY.substring(0, 32), "", "")).containsExactly(2L, 0L);
		this.client.abandon("a");
		this.redis.command("SET", this.client.keys.data(), "abc");
		assertThat(this.client.acquire("b", "abc", "", "")).containsExactly(2L, 0L);
	}

	@Test
	void theHolderStoresAndReleasesItsLease() {
		this.client.acquire("a");
		assertThat(this.client.store("a", "value")).containsExactly(1L);
		assertThat(this.client.entry()).isEqualTo("value");
		assertThat(this.client.remainingMillis(this.client.keys.data())).isBetween(LIFE - 10_000, LIFE);
		assertThat(this.client.exists(this.client.keys.lease())).isFalse();
	}

	@Test
	void anEntryExpiresAtTheEndOfItsGraceHoweverLateItIsStored() {
		this.client.evict(20_000);
		String graceEnd = String.valueOf(this.client.acquire("a").get(2));
		assertThat(Long.parseLong(graceEnd)).isBetween(this.client.timeMicros(), this.client.timeMicros() + 20_000_000);
		assertThat(this.client.store("a", "value", graceEnd)).containsExactly(1L);
		assertThat(this.client.remainingMillis(this.client.keys.data())).isBetween(1L, 20_000L);
	}

	@Test
	void onlyTheHolderStoresExtendsOrReleases() {
		this.client.acquire("a");
		assertThat(this.client.store("b", "value")).containsExactly(0L);
		assertThat(this.client.renew("b", 90_000)).containsExactly(0L);
		assertThat(this.client.abandon("b")).containsExactly(0L);
		assertThat(this.client.exists(this.client.keys.data())).isFalse();
		assertThat(this.client.lease()).isEqualTo("a");
		assertThat(this.client.remainingMillis(this.client.keys.lease())).isLessThanOrEqualTo(LEASE);
		assertThat(this.client.renew("a", 90_000)).containsExactly(1L);
		assertThat(this.client.remainingMillis(this.client.keys.lease())).isGreaterThan(60_000);
		assertThat(this.client.abandon("a")).containsExactly(1L);
		assertThat(this.client.exists(this.client.keys.lease())).isFalse();
	}

	@Test
	void nobodyHoldsAnExpiredLease() {
		assertThat(this.client.store("a", "value")).containsExactly(0L);
		assertThat(this.client.renew("a", 90_000)).containsExactly(0L);
		assertThat(this.client.abandon("a")).containsExactly(0L);
		assertThat(this.client.exists(this.client.keys.data())).isFalse();
		assertThat(this.client.exists(this.client.keys.lease())).isFalse();
	}

	@Test
	void aWaiterReceivesAShortEntryInTheMessage() {
		assertThat(toldWaiter(() -> this.client.store("a", "v a l u e"))).isEqualTo("V b v a l u e");
		assertThat(this.client.exists(this.client.keys.waiters())).isFalse();
	}

	@Test
	void aWaiterForALongEntryIsNotifiedToReadIt() {
		assertThat(toldWaiter(() -> this.client.store("a", "x".repeat(LONGEST + 1)))).isEqualTo("R b ");
	}

	@Test
	void anEntryWhoseGraceHasEndedIsRejectedAndTheWaiterTriesAgain() {
		assertThat(toldWaiter(
				() -> assertThat(this.client.store("a", "value", "" + this.client.timeMicros())).containsExactly(0L)))
			.isEqualTo("F b ");
		assertThat(this.client.exists(this.client.keys.data())).isFalse();
		assertThat(this.client.exists(this.client.keys.lease())).isFalse();
	}

	@Test
	void aWaiterIsNotifiedToRetryAndNoLeaseIsGrantedDuringAPause() {
		assertThat(toldWaiter(() -> this.client.abandon("a"))).isEqualTo("F b ");
		assertThat(this.client.acquire("b").get(0)).isEqualTo(2L);
		this.client.abandon("b");
		assertThat(toldWaiter(() -> this.client.abandon("a", 60_000))).isEqualTo("F b ");
		assertThat(this.client.acquire("b").get(0)).isEqualTo(3L);
	}

	@Test
	void anEvictDeletesTheEntryAndRevokesTheLease() {
		assertThat(this.client.evict(0)).containsExactly(0L);
		this.client.put("value");
		this.client.acquire("a", "value", "", "");
		assertThat(this.client.lease()).isEqualTo("a");
		assertThat(this.client.evict(0)).containsExactly(1L);
		assertThat(this.client.exists(this.client.keys.data())).isFalse();
		assertThat(this.client.exists(this.client.keys.lease())).isFalse();
	}

	@Test
	void theTimeOfAnEvictOrAPutIsRemembered() {
		for (Runnable change : List.<Runnable>of(() -> this.client.evict(0), () -> this.client.put("value"))) {
			long before = this.client.timeMicros();
			change.run();
			assertThat(Long.parseLong(this.client.tombstone())).isBetween(before, this.client.timeMicros());
			assertThat(this.client.remainingMillis(this.client.keys.tombstone())).isBetween(1L, MEMORY);
		}
	}

	@Test
	void aGraceIsRememberedForAsLongAsTransactionsMayHaveBegunInIt() {
		this.client.evict(20_000);
		assertThat(this.client.tombstone()).matches("\\d+ \\d+");
		assertThat(this.client.remainingMillis(this.client.keys.tombstone())).isBetween(20_001L, 20_000 + MEMORY);
	}

	@Test
	void aGraceAppliesUntilItsEndDespiteOtherChanges() {
		this.client.evict(20_000);
		String ends = this.client.tombstone().split(" ")[1];
		this.client.evict(1000);
		this.client.put("value");
		this.client.evict(0);
		assertThat(this.client.tombstone()).matches("\\d+ " + ends);
		assertThat(this.client.remainingMillis(this.client.keys.tombstone())).isBetween(20_001L, 20_000 + MEMORY);
	}

	@Test
	void aTombstoneThatIsGarbageIsReplaced() {
		this.redis.command("RPUSH", this.client.keys.tombstone(), "garbage");
		this.client.evict(0);
		assertThat(this.client.tombstone()).matches("\\d+");
	}

	@Test
	void anEntryThatIsPutExpires() {
		assertThat(this.client.put("value")).containsExactly(1L);
		assertThat(this.client.entry()).isEqualTo("value");
		assertThat(this.client.remainingMillis(this.client.keys.data())).isBetween(LIFE - 10_000, LIFE);
	}

	@Test
	void withoutMemoryAPutIsAnEvict() {
		try (RedisServer full = RedisFixture.newServer(); ScriptClient client = new ScriptClient(full)) {
			client.put("old");
			client.acquire("a");
			full.exhaustMemory();
			assertThat(client.put("new")).containsExactly(0L);
			assertThat(client.exists(client.keys.data())).isFalse();
			assertThat(client.exists(client.keys.lease())).isFalse();
			assertThat(client.exists(client.keys.tombstone())).isTrue();
		}
	}

	@Test
	void aWaiterRetriesAfterAnEvictAndReceivesWhatIsPut() {
		assertThat(toldWaiter(() -> this.client.evict(0))).isEqualTo("E b ");
		assertThat(toldWaiter(() -> this.client.put("new"))).isEqualTo("V b new");
	}

	@Test
	void localCopiesAreInvalidated() {
		String data = this.client.keys.data();
		try (ListeningJvm<byte[]> jvm = this.client.listen(CHANGES)) {
			this.client.evict(0);
			this.client.put("new");
			assertThat(this.client.step("delete", data, CHANGES)).containsExactly(1L);
			assertThat(this.client.exists(data)).isFalse();
			this.client.acquire("a");
			// without a message
			assertThat(this.client.step("delete", this.client.keys.lease())).containsExactly(1L);
			assertThat(this.client.exists(this.client.keys.lease())).isFalse();
			this.client.evict(0);
			assertThat(jvm.messages(4)).containsExactly(data, data, data, data);
		}
	}

	@Test
	void anEvictAndItsStepsWorkWithoutMemory() {
		try (RedisServer full = RedisFixture.newServer(); ScriptClient client = new ScriptClient(full)) {
			client.put("value");
			full.exhaustMemory();
			assertThat(client.evict(0)).containsExactly(1L);
			assertThat(client.exists(client.keys.tombstone())).isTrue();
			assertThat(client.step("tombstone", client.keys.tombstone(), 0, 30_000)).containsExactly(1L);
			assertThat(client.step("delete", client.keys.lease())).containsExactly(0L);
			assertThat(client.step("delete", client.keys.data(), CHANGES)).containsExactly(0L);
		}
	}

	@Test
	void aStepRemembersTheTimeOfTheEvictWithItsGrace() {
		long before = this.client.timeMicros();
		assertThat(this.client.step("tombstone", this.client.keys.tombstone(), 7000, 30_000)).containsExactly(1L);
		String[] parts = this.client.tombstone().split(" ");
		assertThat(Long.parseLong(parts[0])).isBetween(before, this.client.timeMicros());
		assertThat(Long.parseLong(parts[1]) - Long.parseLong(parts[0])).isEqualTo(7_000_000);
		assertThat(this.client.remainingMillis(this.client.keys.tombstone())).isBetween(30_001L, 37_000L);
	}

	@Test
	void theFirstEpochIsTheTimeAndStays() {
		long before = this.client.timeMicros();
		long epoch = this.client.epoch(0);
		assertThat(epoch).isBetween(before, this.client.timeMicros());
		assertThat(this.client.epoch(0)).isEqualTo(epoch);
		assertThat(this.client.epoch(epoch)).isEqualTo(epoch);
	}

	@Test
	void aLostEpochIsReplacedByAHigherOne() {
		this.client.epoch(0);
		long seen = this.client.timeMicros() + 3_600_000_000L;
		this.redis.flushAll();
		assertThat(this.client.epoch(seen)).isEqualTo(seen + 1);
	}

	@Test
	void anEpochLowerThanTheCallersIsRaised() {
		long epoch = this.client.epoch(0);
		assertThat(this.client.epoch(epoch + 5)).isEqualTo(epoch + 5);
		assertThat(this.client.epoch(0)).isEqualTo(epoch + 5);
	}

	@Test
	void garbageIsReplaced() {
		this.redis.command("SET", "cache:product:epoch", "rubbish");
		assertThat(this.client.epoch(0)).isPositive();
	}

	@Test
	void aClearIsHigherThanAnEpochOfTheFuture() {
		long future = this.client.timeMicros() + 3_600_000_000L;
		this.client.epoch(future);
		long cleared = this.client.clear(0);
		assertThat(cleared).isGreaterThan(future);
		assertThat(this.client.epoch(0)).isEqualTo(cleared);
	}

	@Test
	void aClearIsPublished() {
		try (ListeningJvm<byte[]> jvm = this.client.listen("cache:clears")) {
			long epoch = this.client.clear(0);
			assertThat(jvm.messages(1)).containsExactly(epoch + " product");
		}
	}

	@Test
	void aRecreatedEpochIsPublished() {
		try (ListeningJvm<byte[]> jvm = this.client.listen("cache:clears")) {
			long first = this.client.epoch(0);
			this.client.epoch(first);
			this.redis.flushAll();
			long second = this.client.epoch(first);
			long lifted = this.client.epoch(second + 5);
			assertThat(jvm.messages(3)).containsExactly(first + " product", second + " product", lifted + " product");
		}
	}

	/**
	 * Return the message to a JVM whose attempt waits for that of another, when a script
	 * ends the load.
	 */
	private String toldWaiter(Runnable end) {
		this.client.acquire("a");
		this.client.acquire("b", "", "jvm1", "");
		try (ListeningJvm<byte[]> jvm = this.client.listen(CHANNELS + "jvm1")) {
			end.run();
			return jvm.messages(1).get(0);
		}
	}

	/**
	 * Runs the scripts of one entry on a server, and reads the resulting keys.
	 */
	private static final class ScriptClient implements AutoCloseable {

		final EntryKeys keys = new CacheKeys("cache:").entry("product", 7, "42");

		private final RedisServer server;

		private final RedisConnection<byte[]> transport;

		ScriptClient(RedisServer server) {
			this.server = server;
			this.transport = Connections.connectForCache(ConnectionSettings.of(Applications.of(server)), null,
					Duration.ofSeconds(2), CacheScript.all());
		}

		List<Object> acquire(String attempt) {
			return acquire(attempt, "", "", "");
		}

		List<Object> acquire(String attempt, String rejected, String instance, String seen) {
			return acquire(attempt, rejected, instance, seen, 0);
		}

		List<Object> acquire(String attempt, String rejected, String instance, String seen, long passed) {
			return run(CacheScript.ACQUIRE, attempt, LEASE, rejected, instance, seen, passed);
		}

		List<Object> store(String attempt, String entry) {
			return store(attempt, entry, "");
		}

		List<Object> store(String attempt, String entry, String graceEnd) {
			return run(CacheScript.STORE, attempt, entry, LIFE, CHANNELS, LONGEST, graceEnd);
		}

		List<Object> abandon(String attempt) {
			return abandon(attempt, 0);
		}

		List<Object> abandon(String attempt, long pause) {
			return run(CacheScript.ABANDON, attempt, CHANNELS, pause);
		}

		List<Object> renew(String attempt, long lease) {
			return run(CacheScript.RENEW, attempt, lease);
		}

		List<Object> evict(long grace) {
			return run(CacheScript.EVICT, grace, MEMORY, CHANNELS, CHANGES);
		}

		List<Object> put(String entry) {
			return run(CacheScript.PUT, entry, LIFE, MEMORY, CHANNELS, LONGEST, CHANGES, "");
		}

		/**
		 * The single steps replace scripts with several keys while a slot is migrated.
		 */
		List<Object> step(String step, String key, Object... arguments) {
			return run(CacheScript.STEP, new String[] { key },
					Stream.concat(Stream.of(step), Stream.of(arguments)).toArray());
		}

		long epoch(long seen) {
			return Long.parseLong((String) run(CacheScript.EPOCH, new String[] { "cache:product:epoch" }, seen,
					"cache:clears", "product")
				.get(0));
		}

		long clear(long seen) {
			return Long.parseLong((String) run(CacheScript.CLEAR, new String[] { "cache:product:epoch" }, seen,
					"cache:clears", "product")
				.get(0));
		}

		private List<Object> run(CacheScript script, Object... arguments) {
			return run(script, this.keys.all(), arguments);
		}

		private List<Object> run(CacheScript script, String[] keys, Object... arguments) {
			byte[][] bytes = List.of(arguments)
				.stream()
				.map((argument) -> String.valueOf(argument).getBytes(StandardCharsets.UTF_8))
				.toArray(byte[][]::new);
			return this.transport.run(script.script(), keys, bytes)
				.orTimeout(5, TimeUnit.SECONDS)
				.join()
				.stream()
				.map((element) -> (element instanceof byte[] text) ? new String(text, StandardCharsets.UTF_8) : element)
				.toList();
		}

		ListeningJvm<byte[]> listen(String channel) {
			return new ListeningJvm<>(this.transport, channel);
		}

		String entry() {
			return String.valueOf(this.server.command("GET", this.keys.data()));
		}

		String lease() {
			return String.valueOf(this.server.command("GET", this.keys.lease()));
		}

		String tombstone() {
			return String.valueOf(this.server.command("GET", this.keys.tombstone()));
		}

		long remainingMillis(String key) {
			return Long.parseLong(String.valueOf(this.server.command("PTTL", key)));
		}

		boolean exists(String key) {
			return Long.valueOf(1).equals(this.server.command("EXISTS", key));
		}

		long timeMicros() {
			return this.server.time().toNanos() / 1000;
		}

		@Override
		public void close() {
			this.transport.close();
		}

	}

}
