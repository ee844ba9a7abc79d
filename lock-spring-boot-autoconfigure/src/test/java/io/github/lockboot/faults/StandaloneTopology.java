package io.github.lockboot.faults;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;

/**
 * One server that hands every command to the disk before it answers.
 */
final class StandaloneTopology implements Topology {

	private static final Set<Fault> CLOCK = EnumSet.of(Fault.CLOCK_AHEAD, Fault.CLOCK_BEHIND);

	private final RedisServer server;

	private final Set<Fault> ownFaults;

	StandaloneTopology() {
		this(RedisFixture.newServer(durable()), EnumSet.complementOf(EnumSet.of(Fault.MASTER_KILLED,
				Fault.MASTER_FROZEN, Fault.MASTER_SWITCHED, Fault.SLOT_MOVED, Fault.CLOCK_AHEAD, Fault.CLOCK_BEHIND)));
	}

	private StandaloneTopology(RedisServer server, Set<Fault> ownFaults) {
		this.server = server;
		this.ownFaults = ownFaults;
	}

	/**
	 * Start a server whose clock may be set.
	 * @return the topology, or nothing if this machine can't do that
	 */
	static Optional<Topology> withOwnClock() {
		return RedisFixture.newServerWithOwnClock(durable()).map((server) -> new StandaloneTopology(server, CLOCK));
	}

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
		return this.ownFaults;
	}

	@Override
	public Set<Fault> ownFaults() {
		return this.ownFaults;
	}

	@Override
	public boolean forgets(Fault fault) {
		return fault == Fault.DATA_LOST || fault == Fault.CLOCK_AHEAD;
	}

	@Override
	public void awaitHealthy() {
		this.server.command("PING");
	}

	@Override
	public Duration clockBehind() {
		return this.server.clockBehind();
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
