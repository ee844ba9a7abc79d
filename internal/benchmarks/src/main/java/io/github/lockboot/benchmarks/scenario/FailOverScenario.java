package io.github.lockboot.benchmarks.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockRequest;
import io.github.lockboot.benchmarks.peer.Kind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisSentinels;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;

/**
 * From the fault of a master until the next lock of the same name.
 */
final class FailOverScenario implements Scenario {

	private static final String MILLIS = "millis";

	private static final String LOCK = "fail-over";

	@Override
	public String id() {
		return "fail-over";
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Results results = new Results();
		for (int i = 0; i < bed.effort().rounds(); i++) {
			results.add(Fault.SENTINEL_KILLED, sentinel(RedisServer::kill));
			results.add(Fault.SENTINEL_FROZEN, sentinel(RedisServer::freeze));
			results.add(Fault.CLUSTER_KILLED, cluster(RedisServer::kill));
			results.add(Fault.CLUSTER_FROZEN, cluster(RedisServer::freeze));
		}
		return new ScenarioReport("Fail-overs",
				"One caller acquires a lock as soon as it can after the fault of its master. The time-out of the servers"
						+ " is part of it: 1.3 s (down-after-milliseconds) of Sentinel, 1 s (cluster-node-timeout) of a Cluster.",
				Table.of(results, List.of(Column.median("ms until the next lock", MILLIS), Column.spread(MILLIS))),
				List.of());
	}

	private static Figures sentinel(Consumer<RedisServer> fault) {
		try (RedisSentinels servers = RedisFixture.newSentinels(1, 3)) {
			servers.awaitHealthy();
			return until(
					new LettuceConnectionFactory(
							new RedisSentinelConfiguration(servers.masterName(), Set.copyOf(servers.nodes()))),
					servers.master(), fault);
		}
	}

	private static Figures cluster(Consumer<RedisServer> fault) {
		try (RedisCluster servers = RedisFixture.newCluster(3, 1)) {
			servers.awaitHealthy();
			return until(new LettuceConnectionFactory(new RedisClusterConfiguration(servers.nodes())),
					servers.masterOf("{" + LOCK + "}"), fault);
		}
	}

	private static Figures until(LettuceConnectionFactory application, RedisServer master,
			Consumer<RedisServer> fault) {
		try (RedisLockTemplate locks = new RedisLockTemplate(application, RedisLockSettings.defaults(), List.of())) {
			LockRequest request = LockRequest.of(LOCK).waitTime(Duration.ofMinutes(1));
			locks.acquire(request).close();
			long startNanos = System.nanoTime();
			fault.accept(master);
			locks.acquire(request).close();
			return Figures.of(MILLIS, (System.nanoTime() - startNanos) / 1e6);
		}
	}

	/** The rows of the table. */
	private enum Fault implements Kind {

		SENTINEL_KILLED("Sentinel, killed"), SENTINEL_FROZEN("Sentinel, frozen"), CLUSTER_KILLED("Cluster, killed"),
		CLUSTER_FROZEN("Cluster, frozen");

		private final String label;

		Fault(String label) {
			this.label = label;
		}

		@Override
		public String label() {
			return this.label;
		}

	}

}
