package io.github.lockboot.redis.redlock;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.util.Assert;

import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockStore;
import io.github.lockboot.redis.connection.ConnectionSettings;
import io.github.lockboot.redis.connection.Connections;
import io.github.lockboot.redis.connection.Refusals;

/**
 * Connects to all masters in parallel. A server that is reached by two addresses has only
 * one vote, because it could otherwise form a majority alone.
 */
final class RedlockConnector {

	private static final Log logger = LogFactory.getLog(RedlockConnector.class);

	private final MonotonicClock clock;

	private final RedisLockSettings settings;

	/** Addresses of the servers, by their run ids. */
	private final Map<String, String> addresses = new ConcurrentHashMap<>();

	private final AtomicBoolean warned = new AtomicBoolean();

	private RedlockConnector(MonotonicClock clock, RedisLockSettings settings) {
		this.clock = clock;
		this.settings = settings;
	}

	/**
	 * Connect to at least a majority.
	 * @throws LockUnavailableException if no majority can be reached and the settings do
	 * not enable retries, or two addresses lead to one server
	 */
	static LockStore connect(List<ConnectionSettings> nodes, MonotonicClock clock, RedisLockSettings settings) {
		return new RedlockConnector(clock, settings).connect(nodes);
	}

	private LockStore connect(List<ConnectionSettings> nodes) {
		List<RedisLockStore> members = nodes.stream().map(this::member).toList();
		members.forEach((member) -> member.connection().begin());
		LockUnavailableException problem = problem(members);
		if (problem != null && this.settings.startup() == RedisLockSettings.Startup.RETRY
				&& !(problem.getCause() instanceof DuplicateServerException) && !Refusals.isOfCredentials(problem)) {
			logger.warn(problem.getMessage() + "; no lock can be acquired until a majority is connected. The"
					+ " connections are retried every second (lock.redis.startup=retry)");
			problem = null;
		}
		if (problem != null) {
			members.forEach(RedisLockStore::close);
			throw problem;
		}
		return new RedlockStore(members, this.clock);
	}

	/**
	 * Return how to connect to each master: with the user, password, database and client
	 * of the application.
	 * @param addresses {@code host:port} each
	 */
	static List<ConnectionSettings> nodes(List<String> addresses, ConnectionSettings application) {
		int count = addresses.size();
		Assert.isTrue(count >= 3 && count % 2 == 1,
				() -> "Redlock needs an odd number of masters, three or more, but there are " + count);
		Assert.isTrue(Set.copyOf(addresses).size() == count,
				"Redlock needs distinct masters, but one is configured twice");
		return addresses.stream().map(RedlockConnector::node).map((node) -> settings(node, application)).toList();
	}

	private static RedisNode node(String address) {
		try {
			RedisNode node = RedisNode.fromString(address);
			Assert.isTrue(node.getHost() != null && node.getPort() != null, "host or port is missing");
			return node;
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"The address of a Redlock master has the form 'host:port' but is '" + address + "'", ex);
		}
	}

	private static ConnectionSettings settings(RedisNode node, ConnectionSettings application) {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(Objects.requireNonNull(node.getHost()),
				Objects.requireNonNull(node.getPort()));
		server.setDatabase(RedisConfiguration.getDatabaseOrElse(application.server(), () -> 0));
		server.setUsername(RedisConfiguration.getUsernameOrElse(application.server(), () -> null));
		server.setPassword(RedisConfiguration.getPasswordOrElse(application.server(), RedisPassword::none));
		return application.withServer(server);
	}

	private RedisLockStore member(ConnectionSettings node) {
		String address = RedisConfiguration.getHostOrElse(node.server(), () -> "") + ":"
				+ RedisConfiguration.getPortOrElse(node.server(), () -> 0);
		return new RedisLockStore("Redlock master " + address, LockStore.newInstance(), Connections.forLocks(node),
				this.clock, this.settings, (runId) -> checkDistinct(address, runId));
	}

	private void checkDistinct(String address, @Nullable String runId) {
		if (runId == null) {
			if (this.warned.compareAndSet(false, true)) {
				logger.warn("Redlock can't check whether " + address + " is a distinct server: a server with two"
						+ " addresses would vote twice. Give the user the right '+info'");
			}
			return;
		}
		String other = this.addresses.putIfAbsent(runId, address);
		if (other != null) {
			throw new DuplicateServerException(other, address);
		}
	}

	private static @Nullable LockUnavailableException problem(List<RedisLockStore> members) {
		int connected = 0;
		String missing = "";
		RuntimeException first = null;
		for (RedisLockStore member : members) {
			RuntimeException failure = member.connection().awaitFirstAttempt();
			if (failure instanceof DuplicateServerException) {
				return new LockUnavailableException(null, "Redlock can't start: " + failure.getMessage(), failure);
			}
			if (failure == null) {
				connected++;
			}
			else if (first == null) {
				first = failure;
				missing = member.connection().toString();
			}
		}
		int quorum = members.size() / 2 + 1;
		return (connected >= quorum) ? null
				: new LockUnavailableException(null, "Fewer than " + quorum + " of the " + members.size()
						+ " Redis masters of the locks are connected; the first that is not connected: " + missing,
						first);
	}

	/**
	 * Thrown when two addresses lead to one server, which could form a majority alone.
	 */
	@SuppressWarnings("serial")
	private static final class DuplicateServerException extends RuntimeException {

		DuplicateServerException(String address, String other) {
			super(address + " and " + other + " are the same Redis server, which has only one vote: name each"
					+ " master by one address");
		}

	}

}
