package io.github.lockboot.redis.redlock;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.connection.Applications;
import io.github.lockboot.redis.connection.ConnectionSettings;

/**
 * Three independent servers.
 */
record Masters(List<RedisServer> servers) implements AutoCloseable {

	/**
	 * Return the servers that the tests of this JVM share. A test that stops them has to
	 * start others.
	 */
	static Masters shared() {
		return Shared.MASTERS;
	}

	static Masters start() {
		return new Masters(Stream.generate(RedisFixture::newServer).limit(3).toList());
	}

	RedisServer get(int index) {
		return this.servers.get(index);
	}

	List<String> nodes() {
		return this.servers.stream().map((server) -> server.host() + ":" + server.port()).toList();
	}

	LockStore store(MonotonicClock clock) {
		return RedlockConnector.connect(
				this.servers.stream().map(Applications::of).map(ConnectionSettings::of).toList(), clock,
				RedisLockSettings.defaults().withCommandTimeout(Duration.ofSeconds(5)));
	}

	/** Return how many of the reachable servers have a key. */
	long countOf(String key) {
		return this.servers.stream()
			.filter(RedisServer::isRunning)
			.filter((server) -> Long.valueOf(1).equals(server.command("EXISTS", key)))
			.count();
	}

	@Override
	public void close() {
		this.servers.forEach(RedisServer::close);
	}

	private static final class Shared {

		static final Masters MASTERS = start();

	}

}
