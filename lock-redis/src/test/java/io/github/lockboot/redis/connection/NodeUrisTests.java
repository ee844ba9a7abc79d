package io.github.lockboot.redis.connection;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

class NodeUrisTests {

	private final RedisStandaloneConfiguration server = new RedisStandaloneConfiguration();

	/**
	 * Credentials can't be compared, the client library has another name, and Spring Data
	 * does not name a client at a socket.
	 */
	@ParameterizedTest
	@MethodSource("servers")
	void areOtherwiseThoseOfSpringData(RedisConfiguration server) {
		LettuceClientConfiguration client = LettuceClientConfiguration.builder()
			.clientName("shop")
			.commandTimeout(Duration.ofMillis(1234))
			.useSsl()
			.disablePeerVerification()
			.startTls()
			.build();
		LettuceConnectionFactory factory = new LettuceConnectionFactory(server, client);
		factory.start();
		RedisURI theirs = (RedisURI) Objects
			.requireNonNull(ReflectionTestUtils.getField(factory.getRequiredNativeClient(), "redisURI"));
		factory.destroy();
		theirs.setClientName("shop");
		assertThat(new NodeUris(server, client).ofServer()).usingRecursiveComparison()
			.ignoringFields("credentialsProvider", "driverInfo", "sentinels.credentialsProvider",
					"sentinels.driverInfo")
			.isEqualTo(theirs);
	}

	static List<RedisConfiguration> servers() {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("redis.example", 7000);
		server.setDatabase(3);
		RedisSocketConfiguration file = new RedisSocketConfiguration("/run/redis.sock");
		file.setDatabase(3);
		RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration("main",
				Set.of("one.example:26379", "two.example:26379"));
		sentinels.setDatabase(3);
		return List.of(server, file, sentinels);
	}

	@ParameterizedTest
	@CsvSource({ "ann, secret", ", secret", "ann, " })
	void haveUserAndPasswordAsFarAsTheyAreKnown(@Nullable String user, @Nullable String password) {
		this.server.setUsername(user);
		this.server.setPassword(RedisPassword.of(password));
		assertThat(credentials()).satisfies((known) -> {
			assertThat(known.hasUsername()).isEqualTo(user != null);
			assertThat(known.getUsername()).isEqualTo(user);
			assertThat(known.getPassword()).containsExactly(Objects.toString(password, "").toCharArray());
		});
	}

	@Test
	void haveTheCredentialsOfTheClientRatherThanTheServers() {
		this.server.setPassword("secret");
		RedisCredentialsProvider theirs = RedisCredentialsProvider.from(() -> RedisCredentials.just("bob", "other"));
		LettuceClientConfiguration client = LettuceClientConfiguration.builder()
			.redisCredentialsProviderFactory(new RedisCredentialsProviderFactory() {

				@Override
				public RedisCredentialsProvider createCredentialsProvider(RedisConfiguration configuration) {
					return theirs;
				}

			})
			.build();
		assertThat(uri(client).getCredentialsProvider()).isSameAs(theirs);
	}

	private @Nullable RedisCredentials credentials() {
		return uri(LettuceClientConfiguration.defaultConfiguration()).getCredentialsProvider()
			.resolveCredentials()
			.block(Duration.ofSeconds(10));
	}

	private RedisURI uri(LettuceClientConfiguration client) {
		return new NodeUris(this.server, client).of("redis.example", 7000);
	}

}
