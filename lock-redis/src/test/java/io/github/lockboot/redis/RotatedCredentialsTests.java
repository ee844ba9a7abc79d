package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.protocol.ProtocolVersion;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;
import reactor.core.publisher.Mono;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/** A user whose password changes while its locks are held and awaited. */
@Timeout(60)
class RotatedCredentialsTests {

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final LockRequest REQUEST = LockRequest.of("rotated")
		.leaseTime(LEASE)
		.waitTime(Duration.ofSeconds(50));

	private volatile String password = "first";

	@ParameterizedTest
	@EnumSource
	void locksAreKeptAndHandedOver(ProtocolVersion protocol) {
		try (RedisServer redis = RedisFixture.newServer()) {
			rotate(redis, "first");
			try (RedisLockTemplate holders = template(redis, protocol);
					RedisLockTemplate waiters = template(redis, protocol)) {
				LockHandle held = holders.acquire(REQUEST);
				CompletableFuture<LockHandle> awaited = waiters.acquireAsync(REQUEST).toCompletableFuture();
				Awaitility.await().until(() -> holders.inspect(REQUEST.name()).waiting() == 1);
				for (String next : List.of("second", "third")) {
					rotate(redis, next);
					Awaitility.await().during(LEASE).until(held::isHeld);
				}
				assertThat(awaited).isNotDone();
				held.close();
				assertThat(awaited).succeedsWithin(Duration.ofSeconds(10)).matches(LockHandle::isHeld);
			}
		}
	}

	/** Replace the password, and cut the connections that have the former one. */
	private void rotate(RedisServer redis, String next) {
		redis.command("ACL", "SETUSER", "shop", "reset", "on", ">" + next, "~*", "&*", "+@all");
		this.password = next;
		redis.command("CLIENT", "KILL", "USER", "shop");
	}

	private RedisLockTemplate template(RedisServer redis, ProtocolVersion protocol) {
		LettuceClientConfiguration client = LettuceClientConfiguration.builder()
			.clientOptions(ClientOptions.builder().protocolVersion(protocol).build())
			.redisCredentialsProviderFactory(new RedisCredentialsProviderFactory() {

				@Override
				public RedisCredentialsProvider createCredentialsProvider(@Nullable RedisConfiguration configuration) {
					return () -> Mono
						.fromSupplier(() -> RedisCredentials.just("shop", RotatedCredentialsTests.this.password));
				}

			})
			.build();
		return new RedisLockTemplate(
				new LettuceConnectionFactory(new RedisStandaloneConfiguration(redis.host(), redis.port()), client),
				RedisLockSettings.defaults(), List.of());
	}

}
