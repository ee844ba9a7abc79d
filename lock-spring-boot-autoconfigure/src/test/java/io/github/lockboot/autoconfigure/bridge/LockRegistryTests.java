package io.github.lockboot.autoconfigure.bridge;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.autoconfigure.LockRunners;
import io.github.lockboot.bridge.integration.LockOperationsRegistry;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Spring Integration on the locks of this library.
 */
@RedisTest
class LockRegistryTests {

	private static final String ROLE = "leader";

	private final RedisServer redis;

	private final ApplicationContextRunner runner;

	LockRegistryTests(RedisServer redis) {
		this.redis = redis;
		this.runner = LockRunners.redis(redis, LockRegistryAutoConfiguration.class);
	}

	@Test
	void theKeyIsTheNameOfTheLock() {
		this.runner.run((context) -> {
			LockRegistry<?> registry = context.getBean(LockRegistry.class);
			try (LockHandle held = context.getBean(LockOperations.class).acquire("orders")) {
				assertThatExceptionOfType(TimeoutException.class)
					.isThrownBy(() -> registry.executeLocked("orders", Duration.ofMillis(1), held::ensureHeld));
			}
			assertThat(registry.<Boolean, RuntimeException>executeLocked("orders", () -> true)).isTrue();
		});
	}

	@Test
	void anotherInstanceBecomesTheLeaderWhenOneStops() {
		ApplicationContextRunner instance = this.runner.withUserConfiguration(Candidate.class);
		instance.run((first) -> instance.run((second) -> {
			List<LockRegistryLeaderInitiator> initiators = Stream.of(first, second)
				.map((context) -> context.getBean(LockRegistryLeaderInitiator.class))
				.toList();
			Awaitility.await().until(() -> leaders(initiators) == 1);
			LockRegistryLeaderInitiator leader = initiators.get(isLeader(initiators.get(0)) ? 0 : 1);
			leader.stop();
			Awaitility.await().until(() -> !isLeader(leader) && leaders(initiators) == 1);
		}));
	}

	@Test
	void aLeaderWhoseLockWasTakenAwayIsRevoked() {
		this.runner.withUserConfiguration(Candidate.class).run((context) -> {
			LockRegistryLeaderInitiator initiator = context.getBean(LockRegistryLeaderInitiator.class);
			Awaitility.await().until(() -> isLeader(initiator));
			LockOperations locks = context.getBean(LockOperations.class);
			assertThat(locks.forceRelease(ROLE)).isTrue();
			try (LockHandle taken = locks.acquire(ROLE)) {
				Awaitility.await().until(() -> !isLeader(initiator));
				taken.ensureHeld();
			}
		});
	}

	@Test
	void aTimeToLiveIsTheLengthOfTheLease() {
		this.runner.run((context) -> {
			DistributedLock lock = lock(context, "leased");
			lock.lock(Duration.ofSeconds(5));
			assertThat((Long) this.redis.command("PTTL", "lock:{leased}")).isPositive().isLessThanOrEqualTo(5000);
			lock.unlock();
			assertThat(lock.tryLock(Duration.ZERO, Duration.ofSeconds(5))).isTrue();
			lock.unlock();
			assertThat(this.redis.command("EXISTS", "lock:{leased}")).isEqualTo(0L);
		});
	}

	@Test
	void onlyTheThreadThatHoldsALockRenewsIt() {
		this.runner.run((context) -> {
			RenewableLockRegistry<?> registry = context.getBean(RenewableLockRegistry.class);
			assertThatIllegalStateException().isThrownBy(() -> registry.renewLock("renewed"));
			assertThat(registry.obtain("renewed").tryLock(1, TimeUnit.SECONDS)).isTrue();
			registry.renewLock("renewed", Duration.ofSeconds(5));
			registry.obtain("renewed").unlock();
		});
	}

	@Test
	void aKeyOfAnotherTypeIsRefused() {
		this.runner.run((context) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> context.getBean(LockRegistry.class).obtain(42L))
			.withMessageContaining("a String"));
	}

	@Test
	void aRegistryOfTheApplicationStays() {
		this.runner.withBean(DefaultLockRegistry.class, DefaultLockRegistry::new)
			.run((context) -> assertThat(context).hasSingleBean(LockRegistry.class)
				.doesNotHaveBean(LockOperationsRegistry.class));
	}

	private static DistributedLock lock(AssertableApplicationContext context, String key) {
		return (DistributedLock) context.getBean(LockRegistry.class).obtain(key);
	}

	private static long leaders(List<LockRegistryLeaderInitiator> initiators) {
		return initiators.stream().filter(LockRegistryTests::isLeader).count();
	}

	private static boolean isLeader(LockRegistryLeaderInitiator initiator) {
		return initiator.getContext().isLeader();
	}

	@Configuration(proxyBeanMethods = false)
	static class Candidate {

		@Bean
		LockRegistryLeaderInitiator initiator(LockRegistry<?> registry) {
			LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(registry,
					new DefaultCandidate("instance", ROLE));
			initiator.setHeartBeatMillis(50);
			initiator.setBusyWaitMillis(10);
			return initiator;
		}

	}

}
