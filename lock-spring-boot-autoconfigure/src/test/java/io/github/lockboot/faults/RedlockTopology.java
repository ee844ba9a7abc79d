package io.github.lockboot.faults;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.TestServer;

/**
 * Three independent masters, of which a majority has each lock. They persist their data,
 * so that no lease is lost when they restart.
 */
final class RedlockTopology implements RedisTopology {

	private static final Set<Fault> OWN = EnumSet.of(Fault.MASTER_KILLED, Fault.MASTER_FROZEN, Fault.ROLLING_RESTART);

	private final List<RedisServer> servers = Stream
		.generate(() -> RedisFixture.newServer(StandaloneTopology.durable()))
		.limit(3)
		.toList();

	@Override
	public Address address() {
		return new Address(Address.Kind.REDLOCK, this.servers.stream().map(Address::node).toList());
	}

	@Override
	public List<RedisServer> servers() {
		return this.servers;
	}

	@Override
	public List<RedisServer> masters() {
		return this.servers;
	}

	/** Return any of them: each may fail alone. */
	@Override
	public RedisServer masterOf(String lock) {
		return this.servers.get(Math.floorMod(RedisTopology.key(lock).hashCode(), this.servers.size()));
	}

	@Override
	public List<RedisServer> serversWith(String lock) {
		return this.servers;
	}

	@Override
	public Set<Fault> faults() {
		Set<Fault> faults = EnumSet.of(Fault.SERVER_KILLED, Fault.SERVER_FROZEN, Fault.HOLDER_KILLED,
				Fault.HOLDER_FROZEN, Fault.CONNECTIONS_CUT, Fault.SCRIPTS_FLUSHED, Fault.OUT_OF_MEMORY);
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
		this.servers.forEach((server) -> server.command("PING"));
	}

	/** Does nothing: the others are a majority. */
	@Override
	public void awaitSuccessor(TestServer former, String lock) {
	}

	@Override
	public boolean pushes() {
		return false;
	}

	/** Each script runs on each server. */
	@Override
	public int requestsPerHold() {
		return 8 * this.servers.size();
	}

	@Override
	public int subscribedWorkers() {
		return 0;
	}

	@Override
	public void close() {
		this.servers.forEach(RedisServer::close);
	}

}
