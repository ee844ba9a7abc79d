package io.github.lockboot.benchmarks.peer;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import com.zaxxer.hikari.HikariDataSource;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * ShedLock's provider with the time of the database, on a pool as an application has it,
 * as <a href="https://github.com/lukas-krecan/ShedLock#jdbctemplate">its README</a> sets
 * it up. It skips instead of waiting, so it is measured only with locks that are free; a
 * caller who is refused tries again at once.
 */
final class ShedLockPeer implements Peer {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final HikariDataSource pool = new HikariDataSource();

	private final LockProvider locks;

	ShedLockPeer(String url) {
		this.pool.setJdbcUrl(url);
		this.locks = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
			.withJdbcTemplate(new JdbcTemplate(this.pool))
			.usingDbTime()
			.build());
	}

	@Override
	public Runnable acquire(String lock) {
		Optional<SimpleLock> acquired = tryAcquire(lock);
		while (acquired.isEmpty()) {
			acquired = tryAcquire(lock);
		}
		return acquired.get()::unlock;
	}

	private Optional<SimpleLock> tryAcquire(String lock) {
		return this.locks.lock(new LockConfiguration(Instant.now(), lock, LEASE, Duration.ZERO));
	}

	@Override
	public void close() {
		this.pool.close();
	}

}
