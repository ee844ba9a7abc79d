package io.github.lockboot.redis.redlock;

import java.time.Duration;
import java.util.List;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockState;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Locks on three independent servers, some of which die or are frozen.
 */
@Timeout(60)
class RedlockTemplateTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

	private static final LockRequest ONCE = LockRequest.of("orders:42").waitTime(Duration.ZERO);

	private static final String KEY = "lock:{orders:42}";

	private static final RedisLockSettings RETRY = RedisLockSettings.defaults()
		.withStartup(RedisLockSettings.Startup.RETRY);

	private final Masters masters = Masters.start();

	private final RedlockTemplate locks = template();

	private final RedlockTemplate otherLocks = template();

	private RedlockTemplate template() {
		return template(RedisLockSettings.defaults());
	}

	private RedlockTemplate template(RedisLockSettings settings) {
		return new RedlockTemplate(Applications.at("127.0.0.1", 1), this.masters.nodes(),
				settings.withCommandTimeout(COMMAND_TIMEOUT), List.of());
	}

	@AfterEach
	void close() {
		this.locks.close();
		this.otherLocks.close();
		this.masters.close();
	}

	@Test
	void aLockThatOnlyAMinorityHasIsNotListed() {
		this.masters.get(0).command("SET", "lock:{orders:1}", "minority", "PX", "60000");
		try (LockHandle held = this.locks.acquire(ONCE)) {
			assertThat(this.otherLocks.list("orders:*", null, 1)).extracting(LockState::name)
				.containsExactly(held.name());
		}
	}

	@Test
	void locksAreListedWhileAMinorityIsDown() {
		try (LockHandle held = this.locks.acquire(ONCE)) {
			this.masters.get(0).kill();
			assertThat(this.otherLocks.list("*", null, 10)).extracting(LockState::name).containsExactly(held.name());
		}
	}

	@Test
	void aLockIsAcquiredAndReleasedOnAllMasters() {
		try (LockHandle lock = this.locks.acquire(ONCE)) {
			awaitOn(3);
			assertThat(lock.isHeld()).isTrue();
			assertThat(this.otherLocks.tryAcquire(ONCE)).isNull();
		}
		awaitOn(0);
	}

	@Test
	void noPermissionToPublishIsNeededWithoutQueues() {
		this.masters.servers()
			.forEach((server) -> server.command("ACL", "SETUSER", "shop", "on", ">pw", "resetchannels", "~lock:*",
					"+@all"));
		LettuceConnectionFactory application = Applications.of(this.masters.get(0), "shop", "pw");
		try (CapturedLog log = new CapturedLog();
				RedlockTemplate shop = new RedlockTemplate(application, this.masters.nodes(),
						RedisLockSettings.defaults().withCommandTimeout(COMMAND_TIMEOUT), List.of())) {
			shop.acquire(ONCE).close();
			assertThat(log.lines("publish")).isEmpty();
		}
	}

	/** Three holders of two permits each would find a majority of three masters. */
	@Test
	void permitsAreRejectedAtOnceWithTheSolution() {
		LockRequest semaphore = ONCE.permits(2);
		for (ThrowingCallable call : List.<ThrowingCallable>of(() -> this.locks.requireSupported(semaphore),
				() -> this.locks.acquire(semaphore), () -> this.locks.tryAcquire(semaphore),
				() -> this.locks.acquireAsync(semaphore), () -> this.locks.asLock(semaphore).lock())) {
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(call)
				.withMessageContainingAll("'orders:42'", "one Redis");
		}
		awaitOn(0);
	}

	@Test
	void aKilledMinorityPreventsNoLockAndReconnectsByItself() {
		this.masters.get(2).kill();
		this.locks.acquire(ONCE).close();
		this.masters.get(2).start();
		Awaitility.await().until(() -> {
			try (LockHandle lock = this.locks.acquire(ONCE)) {
				return lock.isHeld() && this.masters.countOf(KEY) == 3;
			}
		});
	}

	@Test
	void aLockThatAMajorityMayHaveIsNotReportedAsFree() {
		LockHandle held = this.locks.acquire(ONCE);
		awaitOn(3);
		this.masters.get(0).command("DEL", KEY);
		assertThat(this.otherLocks.inspect(ONCE.name()).isHeld()).isTrue();
		this.masters.get(1).freeze();
		assertThat(this.otherLocks.inspect(ONCE.name()).isHeld()).isTrue();
		this.masters.get(1).thaw();
		held.close();
		awaitOn(0);
		this.masters.get(1).freeze();
		assertThat(this.otherLocks.inspect(ONCE.name()).isHeld()).isFalse();
	}

	@Test
	void startsWithoutAMinorityThatConnectsLater() {
		this.masters.get(0).kill();
		try (RedlockTemplate late = template()) {
			late.acquire(ONCE).close();
			this.masters.get(0).start();
			Awaitility.await().untilAsserted(() -> {
				late.acquire(ONCE).close();
				assertThat(this.masters.get(0).commandStats().of("evalsha")
						+ this.masters.get(0).commandStats().of("eval"))
					.isPositive();
			});
		}
	}

	@Test
	void doesNotStartWithoutAMajority() {
		this.masters.get(0).kill();
		this.masters.get(1).kill();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(this::template)
			.withMessageContainingAll("Fewer than 2 of the 3", this.masters.nodes().get(0));
	}

	@Test
	void startsWithoutAMajorityIfRetryIsConfigured() {
		this.masters.get(0).kill();
		this.masters.get(1).kill();
		try (RedlockTemplate late = template(RETRY)) {
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> late.acquire(ONCE))
				.withMessageContaining("2 have to agree");
			this.masters.get(0).start();
			late.acquire(ONCE.waitTime(LONG)).close();
		}
	}

	@Test
	void rejectedCredentialsStopTheStartEvenIfRetryIsConfigured() {
		this.masters.servers().forEach((master) -> master.command("CONFIG", "SET", "requirepass", "pw"));
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> template(RETRY))
			.withStackTraceContaining("NOAUTH");
	}

	@Test
	void anEvenNumberOfMastersIsRejected() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RedlockTemplate(Applications.at("127.0.0.1", 1), List.of("a:1", "b:1"),
					RedisLockSettings.defaults(), List.of()))
			.withMessageContaining("odd number");
	}

	private void awaitOn(int count) {
		Awaitility.await().until(() -> this.masters.countOf(KEY) == count);
	}

}
