package io.github.lockboot.faults;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import org.awaitility.Awaitility;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisSentinels;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.TestServer;

/**
 * A master with two replicas, and three Sentinels. A fail-over may lose what the replica
 * did not have yet. This includes a planned one, because the former master accepts writes
 * for some time.
 */
final class SentinelTopology implements RedisTopology {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final Set<Fault> OWN = EnumSet.of(Fault.MASTER_KILLED, Fault.MASTER_FROZEN, Fault.MASTER_SWITCHED);

	private final RedisSentinels sentinels = RedisFixture.newSentinels(2, 3, StandaloneTopology.durable());

	@Override
	public Address address() {
		return new Address(Address.Kind.SENTINEL, this.sentinels.nodes());
	}

	@Override
	public List<RedisServer> servers() {
		return this.sentinels.servers();
	}

	@Override
	public List<RedisServer> masters() {
		return List.of(this.sentinels.master());
	}

	@Override
	public RedisServer masterOf(String lock) {
		return this.sentinels.master();
	}

	@Override
	public List<RedisServer> serversWith(String lock) {
		throw new UnsupportedOperationException("Sentinels would replace them");
	}

	/**
	 * Return the faults except those that stop all servers or change their roles without
	 * the Sentinels.
	 */
	@Override
	public Set<Fault> faults() {
		Set<Fault> faults = EnumSet.of(Fault.HOLDER_KILLED, Fault.HOLDER_FROZEN, Fault.WAITER_KILLED,
				Fault.WAITER_FROZEN, Fault.SUBSCRIPTIONS_CUT, Fault.CONNECTIONS_CUT, Fault.SCRIPTS_FLUSHED,
				Fault.OUT_OF_MEMORY, Fault.TOO_FEW_REPLICAS, Fault.CHANNELS_REVOKED);
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
		return OWN.contains(fault) || fault == Fault.ROLLING_RESTART;
	}

	@Override
	public void awaitHealthy() {
		Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> {
			this.sentinels.awaitHealthy();
			return true;
		});
	}

	@Override
	public void awaitSuccessor(TestServer former, String lock) {
		Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> {
			RedisServer master = this.sentinels.master();
			return master != former && master.info("replication", "role").equals("master");
		});
	}

	@Override
	public void switchMaster(String lock) {
		RedisServer former = this.sentinels.master();
		// Sentinel rejects this during another fail-over, and it may fail on a busy
		// machine
		Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(2)).ignoreExceptions().until(() -> {
			if (this.sentinels.master() == former) {
				this.sentinels.sentinels().get(0).command("SENTINEL", "FAILOVER", this.sentinels.masterName());
			}
			return this.sentinels.master() != former;
		});
		awaitSuccessor(former, lock);
	}

	@Override
	public void close() {
		this.sentinels.close();
	}

}
