package io.github.lockboot.faults;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.TestServer;

/**
 * Three masters with a replica each. A fail-over may lose the locks of its master only. A
 * planned fail-over and the migration of a slot lose nothing.
 */
final class ClusterTopology implements RedisTopology {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final Set<Fault> OWN = EnumSet.of(Fault.MASTER_KILLED, Fault.MASTER_FROZEN, Fault.MASTER_SWITCHED,
			Fault.SLOT_MOVED);

	private final RedisCluster cluster = RedisFixture.newCluster(3, 1, StandaloneTopology.durable());

	@Override
	public Address address() {
		return new Address(Address.Kind.CLUSTER, this.cluster.nodes());
	}

	@Override
	public List<RedisServer> servers() {
		return this.cluster.servers();
	}

	@Override
	public List<RedisServer> masters() {
		return servers().stream()
			.filter((server) -> server.isRunning() && server.info("replication", "role").equals("master"))
			.toList();
	}

	@Override
	public RedisServer masterOf(String lock) {
		return this.cluster.masterOf(RedisTopology.key(lock));
	}

	@Override
	public List<RedisServer> serversWith(String lock) {
		RedisServer master = masterOf(lock);
		return Stream
			.concat(Stream.of(master),
					servers().stream()
						.filter((server) -> server.info("replication", "master_port").equals("" + master.port())))
			.toList();
	}

	/**
	 * Return the faults except {@code READ_ONLY}, whose command a cluster does not
	 * support.
	 */
	@Override
	public Set<Fault> faults() {
		Set<Fault> faults = EnumSet.copyOf(StandaloneTopology.FAULTS);
		faults.remove(Fault.READ_ONLY);
		faults.add(Fault.ROLLING_RESTART);
		faults.addAll(OWN);
		return faults;
	}

	@Override
	public Set<Fault> ownFaults() {
		return OWN;
	}

	@Override
	public boolean mayLoseLeases(Fault fault) {
		return fault == Fault.DATA_LOST || fault == Fault.MASTER_KILLED || fault == Fault.ROLLING_RESTART
				|| fault == Fault.MASTER_FROZEN;
	}

	@Override
	public void awaitHealthy() {
		Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> {
			this.cluster.awaitHealthy();
			return true;
		});
	}

	@Override
	public void awaitSuccessor(TestServer former, String lock) {
		Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> masterOf(lock) != former);
	}

	@Override
	public void switchMaster(String lock) {
		List<RedisServer> servers = serversWith(lock);
		servers.get(1).command("CLUSTER", "FAILOVER");
		awaitSuccessor(servers.get(0), lock);
	}

	@Override
	public Runnable move(String lock) {
		int slot = this.cluster.slotOf(RedisTopology.key(lock));
		RedisServer source = masterOf(lock);
		RedisServer target = masters().stream().filter((server) -> server != source).findFirst().orElseThrow();
		this.cluster.beginMove(slot, target);
		return () -> this.cluster.finishMove(slot, target);
	}

	@Override
	public int subscribedWorkers() {
		if (RedisFixture.version().startsWith("6")) {
			return (int) masters().stream().flatMap((master) -> inboxes(master, "CHANNELS")).distinct().count();
		}
		return masters().stream().mapToInt((master) -> (int) inboxes(master, "SHARDCHANNELS").count()).min().orElse(0);
	}

	private static Stream<String> inboxes(RedisServer master, String kind) {
		return master.list("PUBSUB", kind, CHANNELS).stream();
	}

	@Override
	public void close() {
		this.cluster.close();
	}

}
