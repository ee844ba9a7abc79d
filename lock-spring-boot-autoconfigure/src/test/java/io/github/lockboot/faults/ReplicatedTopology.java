package io.github.lockboot.faults;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import org.awaitility.Awaitility;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

/**
 * A master and a replica that has to acknowledge a lock before it is granted.
 */
final class ReplicatedTopology extends StandaloneTopology {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final RedisServer master;

	private final RedisServer replica;

	ReplicatedTopology() {
		super(RedisFixture.newServer(durable()), EnumSet.of(Fault.REPLICA_KILLED, Fault.REPLICA_FROZEN), true);
		this.master = masterOf("");
		this.replica = RedisFixture.newServer(durable().replicaOf(this.master));
		awaitHealthy();
	}

	@Override
	public Address address() {
		return new Address(Address.Kind.REPLICATED, List.of(Address.node(this.master)));
	}

	@Override
	public List<RedisServer> servers() {
		return List.of(this.master, this.replica);
	}

	@Override
	public List<RedisServer> masters() {
		return List.of(this.master);
	}

	@Override
	public Set<Fault> faults() {
		Set<Fault> faults = EnumSet.of(Fault.SERVER_KILLED, Fault.SERVER_FROZEN, Fault.HOLDER_KILLED,
				Fault.HOLDER_FROZEN, Fault.WAITER_KILLED, Fault.WAITER_FROZEN, Fault.CONNECTIONS_CUT,
				Fault.SUBSCRIPTIONS_CUT, Fault.SCRIPTS_FLUSHED, Fault.CHANNELS_REVOKED);
		faults.addAll(ownFaults());
		return faults;
	}

	@Override
	public boolean losesLeasesByFailover() {
		return true;
	}

	@Override
	public boolean mayLoseLeases(Fault fault) {
		return false;
	}

	@Override
	public void awaitHealthy() {
		Awaitility.await()
			.atMost(PATIENCE)
			.ignoreExceptions()
			.until(() -> this.replica.info("replication", "master_link_status").equals("up"));
	}

	@Override
	public void close() {
		this.replica.close();
		super.close();
	}

}
