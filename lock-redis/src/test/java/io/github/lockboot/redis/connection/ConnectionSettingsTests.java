package io.github.lockboot.redis.connection;

import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ConnectionSettingsTests {

	@Test
	void areThoseOfEachKindOfFactory() {
		RedisConfiguration sentinels = new RedisSentinelConfiguration().master("m").sentinel("redis.example", 1);
		for (RedisConfiguration server : List.of(new RedisStandaloneConfiguration("redis.example", 7000), sentinels,
				new RedisSocketConfiguration("/tmp/redis"),
				new RedisClusterConfiguration(List.of("redis.example:7000")))) {
			assertThat(server(new LettuceConnectionFactory(server))).isEqualTo(server);
		}
	}

	@Test
	void areThoseOfAFactoryForLocalhost() {
		assertThat(server(new LettuceConnectionFactory())).isEqualTo(new RedisStandaloneConfiguration());
	}

	@Test
	void areThoseOfAFactoryCreatedFromAnAddressAndNotLocalhost() {
		RedisStandaloneConfiguration expected = new RedisStandaloneConfiguration("redis.example", 7000);
		expected.setDatabase(3);
		expected.setPassword("secret");
		assertThat(server(madeFrom("redis://secret@redis.example:7000/3"))).isEqualTo(expected);
		assertThat(server(madeFrom("redis://secret@localhost:6379/3")))
			.isInstanceOfSatisfying(RedisStandaloneConfiguration.class, (server) -> {
				assertThat(server.getDatabase()).isEqualTo(3);
				assertThat(server.getPassword()).isEqualTo(expected.getPassword());
			});
	}

	/** Its factory returns localhost as its host. */
	@Test
	void ofAStaticMasterAndReplicasAreRejected() {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisStaticMasterReplicaConfiguration("redis.example", 7000));
		assertThat(factory.getHostName()).isEqualTo("localhost");
		assertThatIllegalArgumentException().isThrownBy(() -> ConnectionSettings.of(factory))
			.withMessageContaining("RedisStaticMasterReplicaConfiguration");
		assertThat(factory.isRunning()).isFalse();
		factory.start();
		assertThat(ConnectionSettings.isStaticMasterReplica(factory)).isTrue();
		assertThat(factory.isRunning()).isTrue();
		factory.destroy();
	}

	@Test
	void ofAnotherClientAreRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> ConnectionSettings.of(new JedisConnectionFactory()))
			.withMessageContaining("LettuceConnectionFactory");
	}

	private static LettuceConnectionFactory madeFrom(String uri) {
		return new LettuceConnectionFactory(
				Objects.requireNonNull(LettuceConnectionFactory.createRedisConfiguration(uri)));
	}

	private static RedisConfiguration server(LettuceConnectionFactory factory) {
		return ConnectionSettings.of(factory).server();
	}

}
