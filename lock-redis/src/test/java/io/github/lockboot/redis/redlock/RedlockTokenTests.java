package io.github.lockboot.redis.redlock;

import java.util.concurrent.CompletionStage;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.store.LockAttempt;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply.Owned;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tokens of a quorum grow even though its members are independent.
 */
class RedlockTokenTests {

	private static Masters masters;

	private static MonotonicClock clock;

	private static LockStore store;

	private static final long HOUR_MICROS = 3_600_000_000L;

	private int owners;

	@BeforeEach
	void empty() {
		masters.servers().forEach(RedisServer::flushAll);
	}

	@BeforeAll
	static void start() {
		masters = Masters.start();
		clock = new SystemClock("lock-timer");
		store = masters.store(clock);
	}

	@AfterAll
	static void close() {
		store.close();
		clock.close();
		masters.close();
	}

	@Test
	void clocksThatAgreeNeedNoSecondRoundTrip() {
		CommandCounts counts = masters.get(0).commandsDuring(() -> {
			acquire(owner());
			// the replies of the other two are sufficient
			Awaitility.await().until(() -> masters.countOf("lock:{a}") == 3);
		});
		// by its text if it was flushed
		assertThat(counts.of("evalsha") + counts.of("eval")).isBetween(1L, 2L);
		assertThat(counts.of("set")).isEqualTo(2);
	}

	@Test
	void aTokenOfOneMemberOnlyIsKnownToAQuorumBeforeItIsGranted() {
		long ahead = System.currentTimeMillis() * 1000 + HOUR_MICROS;
		// so that the member that is ahead is needed for a quorum
		masters.get(0).command("SET", "lock:{a}:f", String.valueOf(ahead));
		masters.get(2).command("SET", "lock:{a}", "somebody else", "PX", "60000");
		LockAttempt first = owner();
		Owned owned = acquire(first);
		assertThat(owned.token()).isGreaterThan(ahead);
		assertThat(tokenAt(1)).isGreaterThanOrEqualTo(owned.token());
		assertThat(owned.reserved()).isGreaterThan(owned.token());
		join(store.release(first, owned.token(), 0));
		// even without that member the others do not issue tokens that are an hour lower
		masters.get(0).command("SET", "lock:{a}", "somebody else", "PX", "60000");
		masters.get(2).command("DEL", "lock:{a}");
		assertThat(acquire(owner()).token()).isGreaterThan(owned.token());
	}

	@Test
	void aReservedTokenIsKnownToAQuorum() {
		Owned owned = acquire(owner());
		long knowing = masters.servers()
			.stream()
			.map((server) -> server.command("GET", "lock:{a}:f"))
			.filter((token) -> token != null && Long.parseLong(String.valueOf(token)) >= owned.reserved())
			.count();
		assertThat(knowing).isGreaterThanOrEqualTo(2);
	}

	private long tokenAt(int member) {
		return Long.parseLong(String.valueOf(masters.get(member).command("GET", "lock:{a}:f")));
	}

	private LockAttempt owner() {
		return new LockAttempt("a", "0e:" + this.owners++, 60_000, 1);
	}

	private static Owned acquire(LockAttempt owner) {
		return (Owned) join(store.acquire(owner, 0, Queueing.NO, 0));
	}

	private static <T> T join(CompletionStage<T> stage) {
		return stage.toCompletableFuture().join();
	}

}
