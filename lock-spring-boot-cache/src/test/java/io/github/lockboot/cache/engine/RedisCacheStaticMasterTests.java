package io.github.lockboot.cache.engine;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.SocketAddressResolver;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.ConnectionSettings;

import static io.github.lockboot.cache.engine.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The cache on a master that is listed together with its replica, and on one whose host
 * name leads to another server later.
 */
@Timeout(90)
class RedisCacheStaticMasterTests {

	private final RedisServer master = RedisFixture.newServer();

	private final RedisServer replica = RedisFixture.newServer(RedisOptions.defaults().replicaOf(this.master));

	private final CacheFixture fixture = new CacheFixture(application());

	private final CacheTemplate cache = this.fixture.template();

	@AfterEach
	void close() {
		this.fixture.close();
		this.replica.close();
		this.master.close();
	}

	private ConnectionSettings application() {
		RedisStaticMasterReplicaConfiguration nodes = new RedisStaticMasterReplicaConfiguration(this.replica.host(),
				this.replica.port());
		nodes.addNode(this.master.host(), this.master.port());
		return new ConnectionSettings(nodes, LettuceClientConfiguration.builder().readFrom(ReadFrom.REPLICA).build());
	}

	@Test
	void noCommandUsesAReplica() {
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
		assertThat(this.replica.commandStats().calls()).doesNotContainKeys("get", "evalsha", "eval", "subscribe");
	}

	/** The former server does not even close its connections. */
	@Test
	void theSubscriptionMovesToTheServerToWhichTheHostNameLeads() {
		try (RedisServer next = RedisFixture.newServer();
				Moving address = new Moving(this.master);
				CacheFixture moved = new CacheFixture(address.application())) {
			CacheTemplate cache = moved.warmTemplate();
			CacheTemplate other = moved.warmTemplate();
			address.current = next;
			this.master.freeze();
			CacheFixture.warm(cache);
			CacheFixture.warm(other);
			try (HeldLoad held = moved.start(other, PRODUCT, 42, "value")) {
				Future<String> waiting = moved.async(() -> cache.get(PRODUCT, 42, () -> "past the cache"));
				Awaitility.await()
					.atMost(Duration.ofSeconds(15))
					.until(() -> !List.of().equals(next.command("PUBSUB", "CHANNELS", "cache:*")));
				held.release();
				assertThat(CacheFixture.join(waiting)).isEqualTo("value");
			}
		}
		this.master.thaw();
	}

	private static final class Moving extends SocketAddressResolver implements AutoCloseable {

		private final ClientResources resources = ClientResources.builder().socketAddressResolver(this).build();

		private volatile RedisServer current;

		Moving(RedisServer current) {
			this.current = current;
		}

		LettuceConnectionFactory application() {
			return new LettuceConnectionFactory(new RedisStandaloneConfiguration("redis.test", 6379),
					LettuceClientConfiguration.builder().clientResources(this.resources).build());
		}

		@Override
		public SocketAddress resolve(RedisURI uri) {
			return new InetSocketAddress(this.current.host(), this.current.port());
		}

		@Override
		public void close() {
			this.resources.shutdown(0, 1, TimeUnit.SECONDS);
		}

	}

}
