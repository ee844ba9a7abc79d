package io.github.lockboot.redis.redlock;

import java.util.List;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;

import io.github.lockboot.Internal;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.connection.ConnectionSettings;

/**
 * Locks on several independent Redis masters: a lock is held while it is held at a
 * majority of them, and survives the failure of a minority. Waiters poll. Thread-safe;
 * one instance serves an application.
 *
 * @since 1.0.0
 */
public class RedlockTemplate extends LockTemplate {

	private final List<ConnectionSettings> nodes;

	private final RedisLockSettings settings;

	/**
	 * Connect to the masters. A minority may be down; the connections to these masters
	 * are retried in the background.
	 * @param connectionFactory the application's Lettuce connection factory, whose user,
	 * password, database and TLS settings are used for all masters
	 * @param nodes addresses of the masters, {@code host:port} each; three or more, an
	 * odd number, with no replication between them
	 * @param settings how each Redis is used
	 * @param listeners notified of the events of locks, in this order
	 * @throws IllegalArgumentException if the factory is not a Lettuce factory or is for
	 * a static master and replicas, or if the nodes are fewer than three, even in number,
	 * duplicate or not of the form {@code host:port}
	 * @throws LockUnavailableException if no majority of the masters can be reached,
	 * except with {@link RedisLockSettings.Startup#RETRY}, or two nodes are the same
	 * server
	 */
	public RedlockTemplate(RedisConnectionFactory connectionFactory, List<String> nodes, RedisLockSettings settings,
			List<LockListener> listeners) {
		this(ConnectionSettings.of(connectionFactory), nodes, settings, listeners);
	}

	/**
	 * Connect to the masters without a connection factory.
	 * @param server the server whose user, password and database are used for all masters
	 * @param client TLS, client options and everything else that all masters have in
	 * common
	 * @param nodes addresses of the masters, {@code host:port} each; three or more, an
	 * odd number, with no replication between them
	 * @param settings how each Redis is used
	 * @param listeners notified of the events of locks, in this order
	 * @throws IllegalArgumentException if the nodes are fewer than three, even in number,
	 * duplicate or not of the form {@code host:port}
	 * @throws LockUnavailableException if no majority of the masters can be reached,
	 * except with {@link RedisLockSettings.Startup#RETRY}, or two nodes are the same
	 * server
	 */
	public RedlockTemplate(RedisConfiguration server, LettuceClientConfiguration client, List<String> nodes,
			RedisLockSettings settings, List<LockListener> listeners) {
		this(new ConnectionSettings(server, client), nodes, settings, listeners);
	}

	/** Connect to the masters, as the other constructors do. */
	@Internal
	public RedlockTemplate(ConnectionSettings application, List<String> nodes, RedisLockSettings settings,
			List<LockListener> listeners) {
		this(RedlockConnector.nodes(nodes, application), settings, listeners);
	}

	private RedlockTemplate(List<ConnectionSettings> nodes, RedisLockSettings settings, List<LockListener> listeners) {
		super((clock) -> RedlockConnector.connect(nodes, clock, settings), settings.lockDefaults(), listeners);
		this.nodes = nodes;
		this.settings = settings;
	}

	@Override
	protected RedlockTemplate anotherInstance() {
		return new RedlockTemplate(this.nodes, this.settings, List.of());
	}

}
