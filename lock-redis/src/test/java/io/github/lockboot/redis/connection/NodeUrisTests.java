package io.github.lockboot.redis.connection;

import java.time.Duration;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

class NodeUrisTests {

	private final RedisStandaloneConfiguration server = new RedisStandaloneConfiguration();

	/** Credentials can't be compared, and the client library has another name. */
	@Test
	void areOtherwiseThoseOfSpringData() {
		this.server.setHostName("redis.example");
		this.server.setPort(7000);
		this.server.setDatabase(3);
		LettuceClientConfiguration client = LettuceClientConfiguration.builder()
			.clientName("shop")
			.commandTimeout(Duration.ofMillis(1234))
			.useSsl()
			.disablePeerVerification()
			.startTls()
			.build();
		LettuceConnectionFactory factory = new LettuceConnectionFactory(this.server, client);
		factory.start();
		Object theirs = ReflectionTestUtils.getField(factory.getRequiredNativeClient(), "redisURI");
		factory.destroy();
		assertThat(uri(client)).usingRecursiveComparison()
			.ignoringFields("credentialsProvider", "driverInfo")
			.isEqualTo(theirs);
	}

	@Test
	void haveUserAndPassword() {
		this.server.setUsername("ann");
		this.server.setPassword("secret");
		assertThat(credentials()).satisfies((known) -> {
			assertThat(known.getUsername()).isEqualTo("ann");
			assertThat(known.getPassword()).containsExactly("secret".toCharArray());
		});
	}

	@Test
	void haveAPasswordWithoutAUser() {
		this.server.setPassword("secret");
		assertThat(credentials()).satisfies((known) -> {
			assertThat(known.hasUsername()).isFalse();
			assertThat(known.getPassword()).containsExactly("secret".toCharArray());
		});
	}

	@Test
	void haveAUserWithoutAPassword() {
		this.server.setUsername("ann");
		assertThat(credentials()).satisfies((known) -> {
			assertThat(known.getUsername()).isEqualTo("ann");
			assertThat(known.getPassword()).isEmpty();
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
