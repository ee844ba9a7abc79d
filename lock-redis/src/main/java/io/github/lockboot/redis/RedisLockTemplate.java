package io.github.lockboot.redis;

import java.util.List;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;

import io.github.lockboot.Internal;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.redis.connection.ConnectionSettings;
import io.github.lockboot.redis.connection.Connections;

/**
 * Locks on Redis. The template connects to the server of the application's connection
 * factory, with the credentials and TLS settings of the factory, on a separate
 * connection. Thread-safe; one instance serves an application.
 *
 * @since 1.0.0
 */
public class RedisLockTemplate extends LockTemplate {

	private final ConnectionSettings application;

	private final RedisLockStore store;

	private final RedisLockSettings settings;

	/**
	 * Connect to Redis.
	 * @param connectionFactory the application's connection factory, of Lettuce
	 * @param settings how Redis is used
	 * @param listeners notified of the events of locks, in this order
	 * @throws IllegalArgumentException if the factory is not of Lettuce, or for a static
	 * master and replicas
	 * @throws LockUnavailableException if Redis cannot be reached or refuses the
	 * connection, or if the user lacks rights that every lock needs; not with
	 * {@link RedisLockSettings.Startup#RETRY}
	 */
	public RedisLockTemplate(RedisConnectionFactory connectionFactory, RedisLockSettings settings,
			List<LockListener> listeners) {
		this(ConnectionSettings.of(connectionFactory), settings, listeners);
		await(true);
	}

	/**
	 * Connect to Redis without a connection factory, for example to a static master with
	 * replicas.
	 * @param server the server or servers, with their credentials
	 * @param client TLS, client options and everything else that all servers have in
	 * common
	 * @param settings how Redis is used
	 * @param listeners notified of the events of locks, in this order
	 * @throws LockUnavailableException if Redis cannot be reached or refuses the
	 * connection, or if the user lacks rights that every lock needs; not with
	 * {@link RedisLockSettings.Startup#RETRY}
	 */
	public RedisLockTemplate(RedisConfiguration server, LettuceClientConfiguration client, RedisLockSettings settings,
			List<LockListener> listeners) {
		this(new ConnectionSettings(server, client), settings, listeners);
		await(true);
	}

	/**
	 * Begin to connect to Redis in the background. Calls wait for the connection within
	 * their time limits. The connection for pushes is opened with the first acquisition.
	 */
	@Internal
	public RedisLockTemplate(ConnectionSettings application, RedisLockSettings settings, List<LockListener> listeners) {
		super((clock) -> new RedisLockStore("Redis", LockStore.newInstance(), Connections.forLocks(application), clock,
				settings, null), settings.lockDefaults(), listeners);
		this.application = application;
		this.store = (RedisLockStore) store();
		this.settings = settings;
	}

	/**
	 * Wait for the connection that was begun with the template.
	 * @throws LockUnavailableException as thrown by the constructors that connect; the
	 * template is then closed
	 */
	@Internal
	public void awaitConnected() {
		await(false);
	}

	/**
	 * Wait also for the connection for pushes.
	 * @throws LockUnavailableException as thrown by the constructors that connect; the
	 * template is then closed
	 */
	@Internal
	public void awaitSubscribed() {
		await(true);
	}

	private void await(boolean listens) {
		try {
			this.store.awaitConnected();
			if (listens) {
				this.store.subscribe();
			}
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	@Override
	protected RedisLockTemplate anotherInstance() {
		RedisLockTemplate other = new RedisLockTemplate(this.application, this.settings, List.of());
		other.awaitSubscribed();
		return other;
	}

}
