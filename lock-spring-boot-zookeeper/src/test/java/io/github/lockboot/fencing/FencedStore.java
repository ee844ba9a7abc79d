package io.github.lockboot.fencing;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fixture.EnsembleServer;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.TestEnsemble;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;
import io.github.lockboot.zookeeper.ZookeeperLockSettings;
import io.github.lockboot.zookeeper.ZookeeperLockTemplate;

/**
 * A store of locks whose servers lose leases: they are killed, emptied, or let a session
 * expire.
 */
enum FencedStore {

	REDIS {

		@Override
		Servers start() {
			RedisServer server = RedisFixture.newServer(RedisOptions.defaults().withPersistence());
			return new Servers() {

				@Override
				public String address() {
					return server.host() + ":" + server.port();
				}

				@Override
				public void fail(RandomGenerator random) {
					switch (random.nextInt(3)) {
						case 0 -> server.flushAll();
						case 1 -> server.restartEmpty();
						default -> {
							server.kill();
							server.start();
						}
					}
				}

				@Override
				public void close() {
					server.close();
				}

			};
		}

		@Override
		LockTemplate connect(String address) {
			String[] parts = address.split(":");
			return new RedisLockTemplate(
					new LettuceConnectionFactory(
							new RedisStandaloneConfiguration(parts[0], Integer.parseInt(parts[1]))),
					RedisLockSettings.defaults(), List.of());
		}

	},

	ZOOKEEPER {

		@Override
		Servers start() {
			TestEnsemble ensemble = TestEnsemble.started(3);
			CuratorFramework client = CuratorFrameworkFactory.newClient(ensemble.connectString(),
					new RetryNTimes(20, 100));
			client.start();
			return new Servers() {

				@Override
				public String address() {
					return ensemble.connectString();
				}

				@Override
				public boolean isPatient() {
					return true;
				}

				@Override
				public void fail(RandomGenerator random) {
					if (random.nextInt(8) == 0) {
						EnsembleServer leader = ensemble.leader();
						leader.kill();
						leader.start();
						ensemble.awaitServing();
						return;
					}
					try {
						List<String> sessions = client.getChildren().forPath(SESSIONS);
						String session = sessions.get(random.nextInt(sessions.size()));
						ensemble.expire(client.checkExists().forPath(SESSIONS + "/" + session).getEphemeralOwner());
					}
					catch (Exception ex) {
						throw new IllegalStateException(ex);
					}
				}

				@Override
				public void close() {
					client.close();
					ensemble.close();
				}

			};
		}

		@Override
		LockTemplate connect(String address) {
			return new ZookeeperLockTemplate(
					ZookeeperLockSettings.of(address).withTimeouts(Duration.ofSeconds(4), Duration.ofSeconds(10)),
					List.of());
		}

	};

	private static final String SESSIONS = "/locks/@sessions";

	/** Start servers. */
	abstract Servers start();

	/** Connect a JVM to them. */
	abstract LockTemplate connect(String address);

	/** The servers of a store. */
	interface Servers extends AutoCloseable {

		String address();

		/** Return whether leases end by these faults only. */
		default boolean isPatient() {
			return false;
		}

		/** Let a fault happen, and return once they serve again. */
		void fail(RandomGenerator random);

		@Override
		void close();

	}

}
