package io.github.lockboot.benchmarks.peer;

import java.util.concurrent.locks.Lock;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * Spring Integration's registry over a table, on a pool as an application has it. Its
 * waiters poll every 100 ms; its leases are not renewed.
 */
final class IntegrationDatabasePeer implements Peer {

	private final HikariDataSource pool = new HikariDataSource();

	private final JdbcLockRegistry registry;

	IntegrationDatabasePeer(String url) {
		this.pool.setJdbcUrl(url);
		DefaultLockRepository repository = new DefaultLockRepository(this.pool);
		repository.setTransactionManager(new JdbcTransactionManager(this.pool));
		repository.afterPropertiesSet();
		repository.afterSingletonsInstantiated();
		this.registry = new JdbcLockRegistry(repository);
	}

	@Override
	public Runnable acquire(String lock) {
		Lock acquired = this.registry.obtain(lock);
		acquired.lock();
		return acquired::unlock;
	}

	@Override
	public void close() {
		this.pool.close();
	}

}
