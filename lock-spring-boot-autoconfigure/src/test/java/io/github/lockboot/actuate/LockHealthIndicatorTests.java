package io.github.lockboot.actuate;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.BDDMockito;
import org.mockito.Mockito;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.FileSystemUtils;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockMonitor;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.actuate.LocksDescriptor.TemplateDescriptor;
import io.github.lockboot.fixture.NewThreadExecutor;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The health of a template, and the endpoint without a store, on a separate Redis if it
 * has to fail.
 */
class LockHealthIndicatorTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	@Test
	void isUpWhileTheStoreRepliesAndOpensNoConnection() {
		try (RedisServer redis = RedisFixture.newServer(); RedisLockTemplate template = template(redis)) {
			template.acquire("a");
			Awaitility.await().until(() -> connections(redis).size() == 2);
			List<String> connections = connections(redis);
			Health health = new LockHealthIndicator(template).health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("held", 1)
				.containsEntry("waiting", 0)
				.containsKey("answered");
			assertThat(connections(redis)).isEqualTo(connections);
			assertThat(redis.command("EXISTS", "lock:{ }")).as("the lock of the probe").isEqualTo(0L);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void isDownWithinTheCommandTimeoutWhenTheStoreDoesNotReplyOrIsUnreachable(boolean killed) {
		try (RedisServer redis = RedisFixture.newServer(); RedisLockTemplate template = template(redis)) {
			if (killed) {
				redis.kill();
			}
			else {
				redis.freeze();
			}
			long beginNanos = System.nanoTime();
			Health health = new LockHealthIndicator(template).health();
			// five times the time limit, for a loaded machine
			assertThat(Duration.ofNanos(System.nanoTime() - beginNanos)).isLessThan(Duration.ofSeconds(5));
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat(health.getDetails()).containsKey("error");
			redis.thaw();
		}
	}

	/**
	 * The commands have commas between their words.
	 * @param starts whether an application starts meanwhile
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					CONFIG,SET,maxmemory,1              | CONFIG,SET,maxmemory,0  | raise its 'maxmemory' | false
					REPLICAOF,127.0.0.1,1               | REPLICAOF,NO,ONE        | set spring.data.redis.host, port or url to the master | false
					CONFIG,SET,min-replicas-to-write,1  | CONFIG,SET,min-replicas-to-write,0 | lower its 'min-replicas-to-write' | false
					ACL,SETUSER,default,-evalsha,-eval  | ACL,SETUSER,default,+@all | Grant the user | false
					ACL,SETUSER,default,-set            | ACL,SETUSER,default,+@all | Grant the user | false
					BGSAVE                              | CONFIG,SET,stop-writes-on-bgsave-error,no | Redis cannot save its data | false
					EVAL,while true do end,0            | SCRIPT,KILL             | end it with SCRIPT KILL | true
					""")
	void healthAndCallsNameTheCureWhileTheStoreGrantsNoLock(String fault, String repair, String cure, boolean starts)
			throws IOException {
		try (RedisServer redis = RedisFixture.newServer(); RedisLockTemplate template = template(redis)) {
			redis.command("CONFIG", "SET", "lua-time-limit", "100");
			redis.command("CONFIG", "SET", "save", "3600 1");
			if (fault.equals("BGSAVE")) {
				FileSystemUtils.deleteRecursively(Path.of(redis.list("CONFIG", "GET", "dir").get(1)));
			}
			CompletableFuture<?> done = CompletableFuture.supplyAsync(() -> redis.command(fault.split(",")),
					NewThreadExecutor::run);
			LockHealthIndicator health = new LockHealthIndicator(template);
			Awaitility.await().until(() -> health.health().getStatus() == Status.DOWN);
			assertThat(error(template)).contains(cure).doesNotContain("Lock '");
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> template.acquire(LockRequest.of("a").waitTime(Duration.ZERO)))
				.withMessageContaining(cure);
			assertThat(catchThrowable(() -> template(redis).close()) == null).isEqualTo(starts);
			redis.command(repair.split(","));
			done.handle((reply, failure) -> reply).join();
			Awaitility.await().until(() -> health.health().getStatus() == Status.UP);
		}
	}

	@Test
	void isDownWithTheReasonWhileRedisRefusesANewConnection() {
		try (RedisServer redis = RedisFixture.newServer()) {
			redis.command("ACL", "SETUSER", "shop", "on", ">pw", "~*", "&*", "+@all");
			try (RedisLockTemplate template = new RedisLockTemplate(Applications.of(redis, "shop", "pw"),
					RedisLockSettings.defaults(), List.of())) {
				redis.command("ACL", "SETUSER", "shop", "resetpass", ">rotated");
				redis.command("CLIENT", "KILL", "USER", "shop");
				Awaitility.await()
					.untilAsserted(() -> assertThat(error(template)).contains("WRONGPASS",
							"Correct spring.data.redis.username and spring.data.redis.password"));
			}
		}
	}

	@Test
	void theEndpointShowsTheHoldOfThisInstanceAndWhyRedisIsUnavailable() {
		try (RedisServer redis = RedisFixture.newServer();
				RedisLockTemplate locks = new RedisLockTemplate(Applications.of(redis), RedisLockSettings.defaults(),
						List.of())) {
			LocksEndpoint endpoint = new LocksEndpoint(Map.of("locks", locks), new LongestWaits());
			LockHandle held = locks.acquire(LockRequest.of("order:42").leaseTime(Duration.ofMinutes(5)));
			LockHandle another = locks.acquire(LockRequest.of("order:43").leaseTime(Duration.ofMinutes(5)));
			redis.kill();
			TemplateDescriptor shown = Objects
				.requireNonNull(endpoint.lock(new String[] { "order:42" }, null).templates().get("locks"));
			assertThat(shown.held()).singleElement()
				.satisfies((hold) -> assertThat(hold.fencingToken()).isEqualTo(held.fencingToken()));
			assertThat(shown.store()).isNull();
			assertThat(shown.storeError()).isNotBlank();
			TemplateDescriptor all = Objects
				.requireNonNull(endpoint.locks(null, null, "cluster", null, null, null).templates().get("locks"));
			assertThat(all.held()).hasSize(2);
			assertThat(all.cluster()).isNull();
			assertThat(all.storeError()).contains("could not be listed");
			assertThat(another.isHeld()).isTrue();
		}
	}

	private static String error(LockOperations template) {
		Health health = new LockHealthIndicator(template).health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		return String.valueOf(health.getDetails().get("error"));
	}

	@Test
	void isOutOfServiceWhileARenewalIsOverdueByASixthOfTheLease() {
		Health health = healthOf(held("slow", Duration.ofMillis(5100)), held("good", Duration.ZERO));
		assertThat(health.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
		assertThat(health.getDetails().get("lateRenewals"))
			.asInstanceOf(InstanceOfAssertFactories.list(LockActivity.Held.class))
			.extracting(LockActivity.Held::name)
			.containsExactly("slow");
	}

	@Test
	void isUpWhileARenewalIsRetriedInTime() {
		assertThat(healthOf(held("a", Duration.ofMillis(4900))).getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void showsTheSlowestRenewal() {
		LockActivity.Renewal slowest = new LockActivity.Renewal("a", Duration.ofMillis(70), LEASE);
		Health health = healthOf(new LockActivity(List.of(), List.of(), List.of(), slowest));
		assertThat(health.getDetails()).containsEntry("slowestRenewal", slowest);
	}

	private static RedisLockTemplate template(RedisServer redis) {
		return new RedisLockTemplate(new LettuceConnectionFactory(redis.host(), redis.port()),
				RedisLockSettings.defaults(), List.of());
	}

	/** Their ids, without that of the connection that lists them. */
	private static List<String> connections(RedisServer redis) {
		return String.valueOf(redis.command("CLIENT", "LIST"))
			.lines()
			.filter((line) -> !line.contains(" cmd=client"))
			.map((line) -> line.split(" ")[0])
			.toList();
	}

	private static Health healthOf(LockActivity.Held... held) {
		return healthOf(new LockActivity(List.of(held), List.of(), List.of(), null));
	}

	private static Health healthOf(LockActivity activity) {
		LockOperations template = Mockito.mock(LockOperations.class,
				Mockito.withSettings().extraInterfaces(LockMonitor.class));
		BDDMockito.given(((LockMonitor) template).activity()).willReturn(activity);
		return new LockHealthIndicator(template).health();
	}

	private static LockActivity.Held held(String name, Duration overdue) {
		return new LockActivity.Held(name, "jvm:1", 1, "main", null, Instant.now(), LEASE, LEASE.minus(overdue),
				overdue, 0);
	}

}
