package io.github.lockboot.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * However a lock is released, its tokens grow, stay near the time of Redis, and are
 * stored until that time has passed them. From then on the time alone ensures that they
 * grow.
 */
@RedisTest
@DependsOnRedisVersion
class TokenLeadTests {

	private static final int ROUNDS = 20;

	/** A second, and an allowance for many rounds of few tokens. */
	private static final long LEAD_MICROS = 1_100_000;

	private final RedisServer redis;

	private final ScriptClient client;

	private final LockRequest request = LockRequest.of("orders:42").leaseTime(Duration.ofHours(1));

	private RedisLockTemplate locks;

	TokenLeadTests(RedisServer redis) {
		this.redis = redis;
		this.client = new ScriptClient(redis);
		this.locks = RedisConnections.template(Applications.of(redis));
	}

	@BeforeEach
	void forgetTokens() {
		this.redis.flushAll();
		this.locks.close();
		this.locks = RedisConnections.template(Applications.of(this.redis)); // a caller
																				// that
																				// has
																				// seen no
																				// token
	}

	@AfterEach
	void close() {
		this.locks.close();
		this.client.close();
	}

	@Test
	void aFairCallerHasALaterTokenThanAHolderWhoseLeaseRedisHasLost() {
		long ahead = this.client.timeMicros() + Duration.ofHours(2).toNanos() / 1000;
		this.redis.command("SET", this.client.fence, "" + ahead);
		this.locks.acquire(this.request).close();
		try (LockHandle holder = this.locks.acquire(this.request)) {
			this.redis.flushAll();
			try (LockHandle next = this.locks.acquire(this.request.fair(true))) {
				assertThat(next.fencingToken()).isGreaterThan(holder.fencingToken());
			}
		}
	}

	@Test
	void afterSectionsThatWereShorterThanTheirMinHoldTime() {
		LockRequest brief = LockRequest.of("orders:42").minHoldTime(Duration.ofMillis(5));
		assertThatTokensStayNearTheTime(() -> {
			try (LockHandle lock = this.locks.acquire(brief)) {
				return lock.fencingToken();
			}
		});
	}

	@Test
	void afterLocksThatWereReleasedByForce() {
		assertThatTokensStayNearTheTime(() -> {
			LockHandle lock = this.locks.acquire(this.request);
			this.locks.forceRelease("orders:42");
			return lock.fencingToken();
		});
	}

	@ParameterizedTest
	@CsvSource({ "3600000, 5000", "60000, 3600000" })
	void afterOwnersThatDiedOnALeaseThatARenewalShortenedOrExtended(long lease, long renewed) {
		AtomicLong owners = new AtomicLong();
		assertThatTokensStayNearTheTime(() -> {
			String owner = "00000000000000aa:" + owners.incrementAndGet();
			long token = this.client.take(owner, lease);
			this.client.renew(owner, renewed);
			this.client.expire();
			return token;
		});
	}

	@Test
	void afterAClockThatWasSetBack() {
		long ahead = this.client.timeMicros() + Duration.ofHours(2).toNanos() / 1000;
		long token = this.client.take("00000000000000aa:1", 60_000);
		this.client.release("00000000000000aa:1", 60_000, token);
		this.redis.command("SET", this.client.fence, "" + ahead);
		for (int i = 0; i < ROUNDS; i++) {
			try (LockHandle lock = this.locks.acquire(this.request)) {
				assertThat(lock.fencingToken() / 1000).isGreaterThan(ahead);
			}
			assertThatTokenIsRemembered();
		}
		assertThat(Long.parseLong(this.client.lastToken())).isEqualTo(ahead + ROUNDS);
	}

	private void assertThatTokensStayNearTheTime(Round round) {
		long last = 0;
		for (int i = 0; i < ROUNDS; i++) {
			long token = round.run();
			assertThat(token).isGreaterThan(last);
			assertThat(Long.parseLong(this.client.lastToken()) - this.client.timeMicros()).isLessThan(LEAD_MICROS);
			assertThatTokenIsRemembered();
			last = token;
		}
	}

	private void assertThatTokenIsRemembered() {
		long forgottenMillis = this.client.timeMicros() / 1000 + this.client.remainingMillis(this.client.fence);
		assertThat(forgottenMillis).isGreaterThan(Long.parseLong(this.client.lastToken()) / 1000);
	}

	private interface Round {

		long run();

	}

}
