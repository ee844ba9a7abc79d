package io.github.lockboot.benchmarks.scenario;

import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Numbers;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;

/**
 * Threads of one JVM, on a cluster of three masters.
 */
final class ClusterScenario extends BesideRedissonScenario {

	ClusterScenario(int threads, int locks) {
		super("cluster-" + threads + "-locks-" + locks,
				"Cluster of 3 masters, " + Numbers.count(threads, "thread") + ", " + Numbers.count(locks, "lock"),
				List.of(PeerKind.OURS_CLUSTER, PeerKind.OURS_CLUSTER_CONFIRMED, PeerKind.REDISSON_CLUSTER), threads,
				locks);
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		try (RedisCluster cluster = RedisFixture.newCluster(3, 0)) {
			return super.run(new TestBed(cluster.masters().get(0), bed.effort()));
		}
	}

	/**
	 * Return the columns without the CPU time of Redis, which would be that of one
	 * master.
	 */
	@Override
	List<Column> columns() {
		List<Column> columns = super.columns();
		return columns.subList(0, columns.size() - 1);
	}

}
