package io.github.lockboot.faults;

import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.RedisServer;

/**
 * One server behind a network that delays or loses packets in one direction.
 */
final class ProxiedTopology implements RedisTopology {

	private static final Set<Fault> OWN = EnumSet.of(Fault.REQUESTS_LATE, Fault.ANSWERS_LATE, Fault.ANSWERS_LOST);

	private final RedisServer server = RedisFixture.newServer(StandaloneTopology.durable());

	private final RedisProxy network = new RedisProxy(this.server);

	@Override
	public Address address() {
		return new Address(Address.Kind.STANDALONE, List.of(this.network.address()));
	}

	@Override
	public List<RedisProxy> networks() {
		return List.of(this.network);
	}

	@Override
	public List<RedisServer> servers() {
		return List.of(this.server);
	}

	@Override
	public List<RedisServer> masters() {
		return servers();
	}

	@Override
	public RedisServer masterOf(String lock) {
		return this.server;
	}

	@Override
	public List<RedisServer> serversWith(String lock) {
		return servers();
	}

	@Override
	public Set<Fault> faults() {
		Set<Fault> faults = EnumSet.copyOf(StandaloneTopology.FAULTS);
		faults.addAll(OWN);
		return faults;
	}

	@Override
	public Set<Fault> ownFaults() {
		return OWN;
	}

	@Override
	public boolean losesLeasesByFailover() {
		return false;
	}

	@Override
	public boolean mayLoseLeases(Fault fault) {
		return fault == Fault.DATA_LOST;
	}

	@Override
	public void awaitHealthy() {
		this.server.command("PING");
	}

	@Override
	public int subscribedWorkers() {
		return ((List<?>) Objects.requireNonNull(this.server.command("PUBSUB", "CHANNELS", CHANNELS))).size();
	}

	@Override
	public void close() {
		this.network.close();
		this.server.close();
	}

}
