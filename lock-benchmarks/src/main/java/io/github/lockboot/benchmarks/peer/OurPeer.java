package io.github.lockboot.benchmarks.peer;

import java.time.Duration;
import java.util.List;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;

/**
 * Ours, with all that is on by default (fencing token, renewal) and a listener that
 * counts and times as metrics do.
 */
final class OurPeer implements Peer {

	/** Many JVMs that start at once on few processors take long to connect. */
	private static final Duration STARTING_JVMS = Duration.ofSeconds(10);

	private final RedisLockTemplate locks;

	OurPeer(RedisAddress address) {
		this.locks = template(address);
	}

	static RedisLockTemplate template(RedisAddress address) {
		return template(address.settings());
	}

	static RedisLockTemplate template(LettuceConnectionFactory address) {
		LockDefaults defaults = LockDefaults.defaults().withWaitTime(Duration.ofMinutes(2));
		RedisLockSettings settings = RedisLockSettings.defaults()
			.withLockDefaults(defaults)
			.withCommandTimeout(STARTING_JVMS);
		return new RedisLockTemplate(address, settings, List.of(new TimingListener()));
	}

	@Override
	public Runnable take(String lock) {
		return this.locks.acquire(lock)::close;
	}

	@Override
	public void run(String lock, Runnable section) {
		this.locks.execute(lock, section::run);
	}

	@Override
	public void close() {
		this.locks.close();
	}

}
