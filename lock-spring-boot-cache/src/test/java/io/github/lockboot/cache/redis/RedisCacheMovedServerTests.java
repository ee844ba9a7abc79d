package io.github.lockboot.cache.redis;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.SocketAddressResolver;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A host name that leads to another server, while the former one does not even close its
 * connections.
 */
@Timeout(90)
class RedisCacheMovedServerTests {

	private final RedisServer former = RedisFixture.newServer(RedisOptions.defaults());

	private final RedisServer next = RedisFixture.newServer(RedisOptions.defaults());

	private volatile RedisServer current = this.former;

	private final ClientResources resources = ClientResources.builder().socketAddressResolver(new Moving()).build();

	private final CacheFixture fixture = new CacheFixture(
			new LettuceConnectionFactory(new RedisStandaloneConfiguration("redis.test", 6379),
					LettuceClientConfiguration.builder().clientResources(this.resources).build()));

	@AfterEach
	void close() {
		this.fixture.close();
		this.resources.shutdown(0, 1, TimeUnit.SECONDS);
		this.former.close();
		this.next.close();
	}

	@Test
	void theSubscriptionMovesToo() {
		RedisCacheTemplate cache = this.fixture.warmTemplate();
		RedisCacheTemplate other = this.fixture.warmTemplate();
		this.current = this.next;
		this.former.freeze();
		CacheFixture.warm(cache);
		CacheFixture.warm(other);
		try (HeldLoad held = new HeldLoad("value")) {
			this.fixture.async(() -> other.get(PRODUCT, 42, held));
			held.awaitStart();
			Future<String> waiting = this.fixture.async(() -> cache.get(PRODUCT, 42, () -> "past the cache"));
			Awaitility.await()
				.atMost(Duration.ofSeconds(15))
				.until(() -> !List.of().equals(this.next.command("PUBSUB", "CHANNELS", "cache:*")));
			held.release();
			assertThat(CacheFixture.join(waiting)).isEqualTo("value");
		}
	}

	private final class Moving extends SocketAddressResolver {

		@Override
		public SocketAddress resolve(RedisURI uri) {
			RedisServer server = RedisCacheMovedServerTests.this.current;
			return new InetSocketAddress(server.host(), server.port());
		}

	}

}
