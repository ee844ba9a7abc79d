package io.github.lockboot.benchmarks.peer;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.jdbc.JdbcLockSettings;
import io.github.lockboot.jdbc.JdbcLockTemplate;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;
import io.github.lockboot.test.LockJournal;
import io.github.lockboot.zookeeper.ZookeeperLockSettings;
import io.github.lockboot.zookeeper.ZookeeperLockTemplate;

/**
 * The locks of this library with the default features (fencing token, renewal) and a
 * listener that counts and times as the metrics do.
 */
record OurPeer(LockTemplate locks, Function<String, LockRequest> request) implements Peer {

	/** The time limit for many JVMs that start at once on few processors. */
	private static final Duration STARTING_JVMS = Duration.ofSeconds(10);

	/** Connect to a single server; callers wait for up to two minutes. */
	static OurPeer waiting(RedisAddress address, Function<String, LockRequest> request) {
		return new OurPeer(template(address.settings()), request);
	}

	/** Connect to a single server, with the journal of tests as another listener. */
	static OurPeer recorded(RedisAddress address, Function<String, LockRequest> request) {
		return new OurPeer(template(address.settings(), new LockJournal()), request);
	}

	/**
	 * Connect to a database, with the options of the auto-configuration; callers wait for
	 * up to two minutes.
	 */
	static OurPeer inDatabase(String url) {
		JdbcLockSettings settings = JdbcLockSettings.defaults().withLockDefaults(waitingDefaults());
		return new OurPeer(
				new JdbcLockTemplate(new DriverManagerDataSource(url), settings, List.of(new TimingListener())),
				LockRequest::of);
	}

	/** Connect to a ZooKeeper ensemble; callers wait for up to two minutes. */
	static OurPeer inZooKeeper(String connectString, boolean fair) {
		ZookeeperLockSettings settings = ZookeeperLockSettings.of(connectString).withLockDefaults(waitingDefaults());
		return new OurPeer(new ZookeeperLockTemplate(settings, List.of(new TimingListener())),
				(lock) -> LockRequest.of(lock).fair(fair));
	}

	/** Connect to a cluster. */
	static OurPeer onCluster(RedisAddress address, LockRelease release) {
		return new OurPeer(template(address.clusterSettings()), (lock) -> LockRequest.of(lock).release(release));
	}

	/**
	 * Connect with the default settings; each acquisition is a single attempt.
	 */
	static OurPeer trying(RedisAddress address) {
		RedisLockTemplate locks = new RedisLockTemplate(address.settings(), RedisLockSettings.defaults(),
				List.of(new TimingListener()));
		return new OurPeer(locks, (lock) -> LockRequest.of(lock).waitTime(Duration.ZERO));
	}

	static RedisLockTemplate template(LettuceConnectionFactory address, LockListener... further) {
		RedisLockSettings settings = RedisLockSettings.defaults()
			.withLockDefaults(waitingDefaults())
			.withCommandTimeout(STARTING_JVMS);
		return new RedisLockTemplate(address, settings,
				Stream.concat(Stream.of(new TimingListener()), Stream.of(further)).toList());
	}

	private static LockDefaults waitingDefaults() {
		return LockDefaults.defaults().withWaitTime(Duration.ofMinutes(2));
	}

	@Override
	public Runnable acquire(String lock) {
		LockHandle handle = this.locks.tryAcquire(this.request.apply(lock));
		if (handle == null) {
			throw new IllegalStateException("Lock '" + lock + "' was not acquired");
		}
		return handle::close;
	}

	@Override
	public void run(String lock, Runnable section) {
		this.locks.execute(this.request.apply(lock), section::run);
	}

	@Override
	public void close() {
		this.locks.close();
	}

}
