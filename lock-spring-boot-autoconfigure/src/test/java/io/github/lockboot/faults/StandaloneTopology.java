package io.github.lockboot.faults;

import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;

/**
 * One server that hands every command to the disk before it answers.
 */
final class StandaloneTopology implements Topology {

	private final RedisServer server = RedisFixture.newServer(durable());

	/**
	 * Return the options of servers that keep their data when they are killed, and have
	 * the user of the workers.
	 * @return the options
	 */
	static RedisOptions durable() {
		return RedisOptions.defaults()
			.withPersistence()
			.with("appendfsync", "no") // enough for a process that dies, and a disk may
										// be slow
			.withUser(USER, PASSWORD, "~*", "allchannels", "+@all");
	}

	@Override
	public Address address() {
		return new Address(Address.Kind.STANDALONE, List.of(this.server.host() + ":" + this.server.port()));
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
	public RedisServer masterOf(String key) {
		return this.server;
	}

	@Override
	public List<RedisServer> keepersOf(String key) {
		return servers();
	}

	@Override
	public Set<Fault> faults() {
		return EnumSet.complementOf(
				EnumSet.of(Fault.MASTER_KILLED, Fault.MASTER_FROZEN, Fault.MASTER_SWITCHED, Fault.SLOT_MOVED));
	}

	@Override
	public Set<Fault> ownFaults() {
		return faults();
	}

	@Override
	public boolean forgets(Fault fault) {
		return fault == Fault.DATA_LOST;
	}

	@Override
	public void awaitHealthy() {
		this.server.command("PING");
	}

	@Override
	public int listeners() {
		return ((List<?>) Objects.requireNonNull(this.server.command("PUBSUB", "CHANNELS", INBOXES))).size();
	}

	@Override
	public void close() {
		this.server.close();
	}

}
