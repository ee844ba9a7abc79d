package io.github.lockboot.benchmarks.peer;

import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * A kind of lock of Redisson with its default settings, renewed by its watchdog, as in
 * <a href="https://redisson.pro/docs/data-and-services/locks-and-synchronizers/">its
 * documentation</a>: without a lease time, and released in {@code finally}.
 *
 * @param locks returns the lock of a name
 */
record RedissonPeer(RedissonClient redisson, BiFunction<RedissonClient, String, RLock> locks) implements Peer {

	/**
	 * The threads of all clients in a JVM, as the
	 * <a href="https://redisson.pro/docs/configuration/">documentation</a> advises.
	 */
	private static final EventLoopGroup EVENT_LOOPS = new MultiThreadIoEventLoopGroup(32,
			new DefaultThreadFactory("redisson", true), NioIoHandler.newFactory());

	/** Connect to a single server. */
	static RedissonPeer of(RedisAddress address, BiFunction<RedissonClient, String, RLock> locks) {
		return new RedissonPeer(client(address), locks);
	}

	static RedissonPeer onCluster(RedisAddress address) {
		Config config = new Config();
		config.useClusterServers().addNodeAddress(address.uri());
		return new RedissonPeer(Redisson.create(config), RedissonClient::getLock);
	}

	/**
	 * Connect to a single server; each acquisition is a single attempt.
	 */
	static Peer trying(RedisAddress address) {
		RedissonClient redisson = client(address);
		return new Peer() {

			@Override
			public Runnable acquire(String name) {
				RLock lock = redisson.getLock(name);
				try {
					if (!lock.tryLock(0, TimeUnit.MILLISECONDS)) {
						throw new IllegalStateException("Lock '" + name + "' was not acquired");
					}
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				return lock::unlock;
			}

			@Override
			public void close() {
				redisson.shutdown();
			}

		};
	}

	static RLock three(RedissonClient redisson, String lock) {
		return redisson.getMultiLock(redisson.getLock(lock + ":a"), redisson.getLock(lock + ":b"),
				redisson.getLock(lock + ":c"));
	}

	/**
	 * Connect to a single server. With the default of 7.5 s, a thousand threads that wait
	 * for a fair lock fail with the message to increase this time-out.
	 */
	static RedissonClient client(RedisAddress address) {
		Config config = new Config().setEventLoopGroup(EVENT_LOOPS);
		config.useSingleServer().setAddress(address.uri()).setSubscriptionTimeout(60_000);
		return Redisson.create(config);
	}

	@Override
	public Runnable acquire(String name) {
		RLock lock = this.locks.apply(this.redisson, name);
		lock.lock();
		return lock::unlock;
	}

	@Override
	public void close() {
		this.redisson.shutdown();
	}

}
