package io.github.lockboot.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisSentinels;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Prints what it costs that a replica has to acknowledge each lock: the rate of sections
 * with free locks over the rate of those without, in slices in turn; and how many locks
 * that were granted are lost if the master is killed. Runs only by hand.
 */
@EnabledIfSystemProperty(named = "lockboot.measure", matches = "true")
class ReplicationCostTests {

	private static final int SLICES = 40;

	private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private static final int FAIL_OVERS = 3;

	@Test
	void ofAMasterOfSentinel() {
		try (RedisSentinels servers = RedisFixture.newSentinels(1, 3)) {
			servers.awaitHealthy();
			measure("Sentinel", Applications.of(servers.master()));
		}
	}

	@Test
	void ofACluster() {
		try (RedisCluster cluster = RedisFixture.newCluster(3, 1)) {
			measure("Cluster", Applications.of(cluster));
		}
	}

	@Test
	void lossesOfSentinel() {
		losses("Sentinel", (replicas, cut) -> {
			try (RedisSentinels servers = RedisFixture.newSentinels(1, 3)) {
				servers.awaitHealthy();
				RedisServer master = servers.master();
				List<String> granted = grantedUntil(Applications.of(master), replicas, () -> kill(master, cut));
				Awaitility.await()
					.atMost(Duration.ofSeconds(60))
					.ignoreExceptions()
					.until(() -> servers.master() != master);
				return new Loss(granted.size(), missing(servers.master(), granted));
			}
		});
	}

	@Test
	void lossesOfACluster() {
		losses("Cluster", (replicas, cut) -> {
			try (RedisCluster cluster = RedisFixture.newCluster(3, 1)) {
				RedisServer master = cluster.masters().get(0);
				List<String> granted = grantedUntil(Applications.of(cluster), replicas, () -> kill(master, cut));
				RedisServer promoted = cluster.replicas().get(0);
				Awaitility.await()
					.atMost(Duration.ofSeconds(60))
					.ignoreExceptions()
					.until(() -> promoted.info("replication", "role").equals("master"));
				return new Loss(granted.size(), missing(promoted, granted));
			}
		});
	}

	private static void losses(String servers, BiFunction<Integer, Boolean, Loss> failOver) {
		for (boolean cut : new boolean[] { false, true }) {
			for (int replicas : new int[] { 0, 1 }) {
				List<Loss> losses = new ArrayList<>();
				for (int i = 0; i < FAIL_OVERS; i++) {
					losses.add(failOver.apply(replicas, cut));
				}
				System.out.printf("%s, %d replicas acknowledge, connection of replicas %s: lost by each fail-over %s%n",
						servers, replicas, cut ? "cut 300 ms before" : "not cut before", losses);
			}
		}
	}

	private static void kill(RedisServer master, boolean cut) {
		if (cut) {
			// else it is connected again at once
			master.command("ACL", "SETUSER", "default", "-psync", "-sync");
			master.command("CLIENT", "KILL", "TYPE", "replica");
			Awaitility.await().pollDelay(Duration.ofMillis(300)).until(() -> true);
		}
		master.kill();
	}

	/** Acquires locks that stay held, by several threads, until the server is gone. */
	private static List<String> grantedUntil(LettuceConnectionFactory application, int replicas, Runnable kill) {
		RedisLockSettings settings = RedisLockSettings.defaults()
			.withCommandTimeout(Duration.ofSeconds(2))
			.withMinReplicasAcknowledged(replicas);
		Queue<String> granted = new ConcurrentLinkedQueue<>();
		try (RedisLockTemplate locks = new RedisLockTemplate(application, settings, List.of())) {
			List<CompletableFuture<Void>> callers = new ArrayList<>();
			ExecutorService executor = Executors.newFixedThreadPool(8);
			for (int i = 0; i < 8; i++) {
				String prefix = "order:" + i + ":";
				callers.add(CompletableFuture.runAsync(() -> acquireAll(locks, prefix, granted), executor));
			}
			Awaitility.await().until(() -> granted.size() > 1_000);
			kill.run();
			callers.forEach(CompletableFuture::join);
			executor.shutdown();
			return List.copyOf(granted);
		}
	}

	private static void acquireAll(RedisLockTemplate locks, String prefix, Queue<String> granted) {
		LockRequest request = LockRequest.of("any").waitTime(Duration.ofSeconds(2)).leaseTime(Duration.ofMinutes(5));
		try {
			for (int i = 0; i < 100_000; i++) {
				String name = prefix + i;
				if (locks.tryAcquire(request.names(List.of(name))) != null) {
					granted.add(name);
				}
			}
		}
		catch (LockUnavailableException ex) {
			// the server is gone
		}
	}

	/** In a cluster a server replies with an error for locks of others. */
	private static long missing(RedisServer server, List<String> granted) {
		return granted.stream().filter((name) -> {
			try {
				return Long.valueOf(0).equals(server.command("EXISTS", "lock:{" + name + "}"));
			}
			catch (RuntimeException ex) {
				return false;
			}
		}).count();
	}

	private static void measure(String servers, LettuceConnectionFactory application) {
		RedisLockSettings settings = RedisLockSettings.defaults().withCommandTimeout(Duration.ofSeconds(5));
		try (RedisLockTemplate plain = new RedisLockTemplate(application, settings, List.of());
				RedisLockTemplate acknowledged = new RedisLockTemplate(application,
						settings.withMinReplicasAcknowledged(1), List.of())) {
			for (int threads : new int[] { 1, 8 }) {
				List<Double> ratios = new ArrayList<>();
				long before = 0;
				long after = 0;
				for (int i = 0; i < SLICES; i++) {
					long without = sections(plain, threads);
					long with = sections(acknowledged, threads);
					if (i >= SLICES / 4) { // until then it warms up
						before += without;
						after += with;
						ratios.add((double) with / without);
					}
				}
				ratios.sort(null);
				assertThat(after).isPositive();
				System.out.printf(
						"%s, %d threads: %d sections without, %d with an acknowledgement, ratio %.2f (median %.2f, %.2f to %.2f)%n",
						servers, threads, before, after, (double) after / before, ratios.get(ratios.size() / 2),
						ratios.get(ratios.size() / 10), ratios.get(ratios.size() * 9 / 10));
			}
		}
	}

	private static long sections(RedisLockTemplate locks, int threads) {
		LongAdder sections = new LongAdder();
		long end = System.nanoTime() + SLICE_NANOS;
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			List<Runnable> workers = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				LockRequest request = LockRequest.of("order:" + i);
				workers.add(() -> {
					while (end - System.nanoTime() > 0) {
						locks.execute(request, sections::increment);
					}
				});
			}
			executor.invokeAll(workers.stream().map(Executors::callable).toList());
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			executor.shutdownNow();
		}
		return sections.sum();
	}

	private record Loss(int granted, long missing) {

		@Override
		public String toString() {
			return this.missing + " of " + this.granted;
		}

	}

}
