package io.github.lockboot.benchmarks.peer;

import java.util.concurrent.locks.Lock;
import java.util.function.Function;

import com.zaxxer.hikari.HikariDataSource;
import org.apache.curator.framework.CuratorFramework;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * Spring Integration's registry, as its reference sets it up for
 * <a href="https://docs.spring.io/spring-integration/reference/redis.html">Redis</a>,
 * <a href=
 * "https://docs.spring.io/spring-integration/reference/jdbc/lock-registry.html">JDBC</a>
 * and <a href=
 * "https://docs.spring.io/spring-integration/reference/zookeeper.html">ZooKeeper</a>. Its
 * waiters poll every 100 ms by default, or are notified of a release by Redis.
 *
 * @param registry returns the lock of a name
 * @param closing what closes the registry and its client
 */
record IntegrationPeer(Function<String, Lock> registry, Runnable closing) implements Peer {

	static IntegrationPeer spinning(RedisAddress address) {
		return inRedis(address, RedisLockType.SPIN_LOCK);
	}

	static IntegrationPeer notified(RedisAddress address) {
		return inRedis(address, RedisLockType.PUB_SUB_LOCK);
	}

	private static IntegrationPeer inRedis(RedisAddress address, RedisLockType type) {
		LettuceConnectionFactory application = address.connectionFactory();
		RedisLockRegistry registry = new RedisLockRegistry(application, "benchmark");
		registry.setRedisLockType(type);
		return new IntegrationPeer(registry::obtain, () -> {
			registry.destroy();
			application.destroy();
		});
	}

	/**
	 * Connect to a database with a connection pool like that of an application. Leases
	 * are not renewed.
	 */
	static IntegrationPeer inDatabase(String url) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		DefaultLockRepository repository = new DefaultLockRepository(pool);
		repository.setTransactionManager(new JdbcTransactionManager(pool));
		if (url.startsWith("jdbc:postgresql:")) { // as the reference advises
			repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
		}
		repository.afterPropertiesSet();
		repository.afterSingletonsInstantiated();
		return new IntegrationPeer(new JdbcLockRegistry(repository)::obtain, pool::close);
	}

	static IntegrationPeer inZooKeeper(String connectString) {
		CuratorFramework client = CuratorPeer.connect(connectString);
		ZookeeperLockRegistry registry = new ZookeeperLockRegistry(client, "/integration");
		return new IntegrationPeer(registry::obtain, () -> {
			registry.destroy();
			client.close();
		});
	}

	@Override
	public Runnable acquire(String lock) {
		Lock acquired = this.registry.apply(lock);
		acquired.lock();
		return acquired::unlock;
	}

	@Override
	public void close() {
		this.closing.run();
	}

}
