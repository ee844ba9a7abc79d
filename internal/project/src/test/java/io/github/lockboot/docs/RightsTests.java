package io.github.lockboot.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SslOptions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockState;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The permissions that {@code docs/redis.md} lists are sufficient for all operations of
 * locks.
 */
@Tag("long")
@DependsOnRedisVersion
@Timeout(90)
class RightsTests {

	/** Texts in scripts that look like commands. */
	private static final List<String> OPTIONS = List.of("+before", "+keepttl", "+withscores");

	private static final LockRequest REQUEST = LockRequest.of("orders:42").waitTime(Duration.ofSeconds(30));

	private static final String USER = "locks";

	private static final String PASSWORD = "of-locks";

	@Test
	void theyAreSufficientOnOneServerOverTls() {
		try (RedisServer redis = RedisFixture.newServer(options("always", "waking waiters").withTls())) {
			takeHandOverAndForce(factory(redis, true), 0, true);
			assertThat(redis.commandStats().of("publish")).isPositive();
		}
	}

	@Test
	void withoutThoseForNotificationsWaitersPoll() {
		try (RedisServer redis = RedisFixture.newServer(options("always"))) {
			takeHandOverAndForce(factory(redis, false), 0, false);
			assertThat(redis.commandStats().of("publish")).isZero();
		}
	}

	@Test
	void theyAreSufficientOnAClusterOverTls() {
		RedisOptions options = isSeven() ? options("always", "waking waiters", "Cluster", "Cluster since Redis 7")
				: options("always", "waking waiters", "Cluster");
		try (RedisCluster cluster = RedisFixture.newCluster(3, 0, options.withTls())) {
			RedisClusterConfiguration nodes = new RedisClusterConfiguration(cluster.nodes());
			nodes.setUsername(USER);
			nodes.setPassword(RedisPassword.of(PASSWORD));
			takeHandOverAndForce(new LettuceConnectionFactory(nodes, tls(cluster.masters().get(0))), 0, true);
			assertThat(cluster.masterOf("lock:{orders:42}").commandStats().of(isSeven() ? "spublish" : "publish"))
				.isPositive();
		}
	}

	@Test
	void theyAreSufficientToListTheLocks() {
		try (RedisServer redis = RedisFixture.newServer(options("always", "listing all locks"));
				RedisLockTemplate locks = new RedisLockTemplate(factory(redis, false),
						RedisLockSettings.defaults().withCommandTimeout(Duration.ofSeconds(5)), List.of());
				LockHandle held = locks.acquire(REQUEST)) {
			assertThat(locks.list("*", null, 10)).extracting(LockState::name).containsExactly(held.name());
		}
	}

	@Test
	void theyAreSufficientOnAStaticMasterWithItsReplica() {
		RedisOptions options = options("always", "waking waiters", "static master and replicas",
				"lock.redis.min-replicas-acknowledged");
		try (RedisServer master = RedisFixture.newServer(options);
				RedisServer replica = RedisFixture.newServer(options.replicaOf(master))) {
			RedisStaticMasterReplicaConfiguration nodes = new RedisStaticMasterReplicaConfiguration(replica.host(),
					replica.port());
			nodes.addNode(master.host(), master.port());
			nodes.setUsername(USER);
			nodes.setPassword(RedisPassword.of(PASSWORD));
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> replica.info("replication", "master_link_status").equals("up"));
			takeHandOverAndForce((settings) -> new RedisLockTemplate(nodes,
					LettuceClientConfiguration.defaultConfiguration(), settings, List.of()), 1, true);
		}
	}

	@Test
	void theyContainTheCommandsOfTheScripts() throws IOException {
		String listed = Page.docs("redis.md").blocks("acl").get(0);
		Pattern command = Pattern.compile("'([A-Z]{3,})'");
		try (Stream<Path> files = Files.list(Path.of("../../lock-redis/src/main/resources/io/github/lockboot/redis"))) {
			List<String> commands = files.map(Sources::read)
				.flatMap((script) -> command.matcher(script).results())
				.map((found) -> "+" + found.group(1).toLowerCase(Locale.ROOT))
				.filter((found) -> !OPTIONS.contains(found))
				.distinct()
				.toList();
			assertThat(commands).contains("+lindex", "+rpush", "+spublish", "+zadd");
			assertThat(listed.split("\\s+")).containsAll(commands);
		}
	}

	private static void takeHandOverAndForce(LettuceConnectionFactory application, int replicas, boolean pushed) {
		takeHandOverAndForce((settings) -> new RedisLockTemplate(application, settings, List.of()), replicas, pushed);
	}

	private static void takeHandOverAndForce(Function<RedisLockSettings, RedisLockTemplate> template, int replicas,
			boolean pushed) {
		RedisLockSettings settings = RedisLockSettings.defaults()
			.withCommandTimeout(Duration.ofSeconds(5))
			.withMinReplicasAcknowledged(replicas);
		try (RedisLockTemplate locks = template.apply(settings);
				RedisLockTemplate otherLocks = template.apply(settings)) {
			LockHandle held = locks.acquire(REQUEST);
			CompletableFuture<LockHandle> waiting = otherLocks.acquireAsync(REQUEST).toCompletableFuture();
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> !pushed || locks.inspect(held.name()).waiting() == 1);
			CompletableFuture<LockHandle> gone = otherLocks.acquireAsync(REQUEST.waitTime(Duration.ofMillis(500)))
				.toCompletableFuture();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(gone::isCompletedExceptionally);
			held.close();
			try (LockHandle next = waiting.join()) {
				assertThat(locks.inspect(next.name()).isHeld()).isTrue();
				assertThat(locks.forceRelease(next.name())).isTrue();
			}
			locks.acquire(REQUEST.leaseTime(Duration.ofSeconds(1))).close();
			share(locks, otherLocks, pushed);
		}
	}

	private static void share(RedisLockTemplate locks, RedisLockTemplate otherLocks, boolean pushed) {
		LockHandle held = locks.acquire(REQUEST.shared());
		CompletableFuture<LockHandle> writing = otherLocks.acquireAsync(REQUEST).toCompletableFuture();
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> !pushed || locks.inspect(held.name()).waiting() == 1);
		held.close();
		writing.join().close();
		ReadWriteLock both = locks.asReadWriteLock(REQUEST.name());
		both.writeLock().lock();
		both.readLock().lock();
		both.writeLock().unlock();
		both.readLock().unlock();
		locks.acquire(REQUEST.permits(2)).close();
	}

	/** The user of the locks has the permissions below these headings. */
	private static RedisOptions options(String... headings) {
		List<String> lines = Page.docs("redis.md").blocks("acl").get(0).lines().toList();
		String[] rights = Arrays.stream(headings)
			.map((heading) -> lines.indexOf("# " + heading) + 1)
			.peek((line) -> assertThat(line).isPositive())
			.flatMap((line) -> lines.stream().skip(line).takeWhile((right) -> !right.startsWith("#")))
			.flatMap((line) -> Stream.of(line.split(" ")))
			.toArray(String[]::new);
		return RedisOptions.defaults().withPassword("of-the-default-user").withUser(USER, PASSWORD, rights);
	}

	private static LettuceConnectionFactory factory(RedisServer redis, boolean tls) {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(redis.host(), redis.port());
		server.setUsername(USER);
		server.setPassword(PASSWORD);
		if (!tls) {
			return new LettuceConnectionFactory(server);
		}
		return new LettuceConnectionFactory(server, tls(redis));
	}

	private static LettuceClientConfiguration tls(RedisServer redis) {
		SslOptions trust = SslOptions.builder().trustManager(redis.certificate().toFile()).build();
		return LettuceClientConfiguration.builder()
			.useSsl()
			.and()
			.clientOptions(ClientOptions.builder().sslOptions(trust).build())
			.build();
	}

	private static boolean isSeven() {
		return !RedisFixture.version().startsWith("6");
	}

}
