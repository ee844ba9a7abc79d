package io.github.lockboot.faults;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.awaitility.Awaitility;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

/**
 * A master and a replica that has to acknowledge a lock before it is granted.
 */
final class ReplicatedTopology implements RedisTopology {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final Set<Fault> OWN = EnumSet.of(Fault.REPLICA_KILLED, Fault.REPLICA_FROZEN);

	private final RedisServer master = RedisFixture.newServer(StandaloneTopology.durable());

	private final RedisServer replica = RedisFixture.newServer(StandaloneTopology.durable().replicaOf(this.master));

	ReplicatedTopology() {
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
	public RedisServer masterOf(String lock) {
		return this.master;
	}

	@Override
	public List<RedisServer> serversWith(String lock) {
		return servers();
	}

	@Override
	public Set<Fault> faults() {
		Set<Fault> faults = EnumSet.of(Fault.SERVER_KILLED, Fault.SERVER_FROZEN, Fault.HOLDER_KILLED,
				Fault.HOLDER_FROZEN, Fault.WAITER_KILLED, Fault.WAITER_FROZEN, Fault.CONNECTIONS_CUT,
				Fault.SUBSCRIPTIONS_CUT, Fault.SCRIPTS_FLUSHED, Fault.CHANNELS_REVOKED);
		faults.addAll(OWN);
		return faults;
	}

	@Override
	public Set<Fault> ownFaults() {
		return OWN;
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
	public int subscribedWorkers() {
		return ((List<?>) Objects.requireNonNull(this.master.command("PUBSUB", "CHANNELS", CHANNELS))).size();
	}

	@Override
	public void close() {
		this.replica.close();
		this.master.close();
	}

}
