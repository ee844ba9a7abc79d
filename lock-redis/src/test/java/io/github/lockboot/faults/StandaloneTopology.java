package io.github.lockboot.faults;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;

/**
 * One server that writes each command to its append-only file before it replies.
 */
final class StandaloneTopology implements RedisTopology {

	static final Set<Fault> FAULTS = EnumSet.of(Fault.SERVER_KILLED, Fault.DATA_LOST, Fault.SERVER_FROZEN,
			Fault.HOLDER_KILLED, Fault.HOLDER_FROZEN, Fault.WAITER_KILLED, Fault.WAITER_FROZEN, Fault.SUBSCRIPTIONS_CUT,
			Fault.CONNECTIONS_CUT, Fault.SCRIPTS_FLUSHED, Fault.OUT_OF_MEMORY, Fault.READ_ONLY, Fault.TOO_FEW_REPLICAS,
			Fault.PAUSED, Fault.CHANNELS_REVOKED, Fault.OUTAGE_UNDER_LOAD);

	private final RedisServer server = RedisFixture.newServer(durable());

	/**
	 * Return the options of servers that keep their data when they are killed, and that
	 * have the workers' user.
	 */
	static RedisOptions durable() {
		// enough for a process that dies, and a disk may be slow
		return RedisOptions.defaults()
			.withPersistence()
			.with("appendfsync", "no")
			.withUser(USER, PASSWORD, "~*", "allchannels", "+@all");
	}

	@Override
	public Address address() {
		return new Address(Address.Kind.STANDALONE, List.of(Address.node(this.server)));
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
	public Set<Fault> faults() {
		return FAULTS;
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
	public void close() {
		this.server.close();
	}

}
