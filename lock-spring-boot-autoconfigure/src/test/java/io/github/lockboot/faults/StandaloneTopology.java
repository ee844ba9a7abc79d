package io.github.lockboot.faults;

import java.util.EnumSet;
import java.util.Set;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;

/**
 * One server that hands every command to the disk before it answers.
 */
final class StandaloneTopology implements Topology {

	private final RedisServer server = RedisFixture.newServer(RedisOptions.defaults()
		.withPersistence()
		.with("appendfsync", "no") // enough for a process that dies, and a disk may be
									// slow
		.withUser(USER, PASSWORD, "~*", "allchannels", "+@all"));

	@Override
	public String uri() {
		return "redis://" + USER + ":" + PASSWORD + "@" + this.server.host() + ":" + this.server.port();
	}

	@Override
	public RedisServer master() {
		return this.server;
	}

	@Override
	public Set<Fault> faults() {
		return EnumSet.allOf(Fault.class);
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
	public void close() {
		this.server.close();
	}

}
