package io.github.lockboot.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.autoconfigure.FailureAnalyzerTests.OneMethod;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application whose client of Redis is not Lettuce.
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class BesideJedisTests {

	private final RedisServer redis;

	BesideJedisTests(RedisServer redis) {
		this.redis = redis;
	}

	@Test
	void locksBesideJedisConnectByLettuceAsSpringBootIsConfigured(CapturedOutput output) {
		try (RedisServer own = RedisFixture.newServer(RedisOptions.defaults().withPassword("secret"));
				ConfigurableApplicationContext context = start(OneMethod.class, "--spring.data.redis.client-type=jedis",
						"--spring.data.redis.password=secret", "--spring.data.redis.host=" + own.host(),
						"--spring.data.redis.port=" + own.port())) {
			assertThat(context.getBean(RedisConnectionFactory.class)).isInstanceOf(JedisConnectionFactory.class);
			try (LockHandle lock = context.getBean(LockOperations.class).acquire("order")) {
				assertThat(lock.isHeld()).isTrue();
			}
		}
		assertThat(output).contains("Locks connect to the Redis of spring.data.redis with Lettuce");
	}

	@Test
	void locksBesideJedisUseTheDetailsOfAService() {
		DataRedisConnectionDetails details = new DataRedisConnectionDetails() {

			@Override
			public Standalone getStandalone() {
				return Standalone.of(BesideJedisTests.this.redis.host(), BesideJedisTests.this.redis.port());
			}

		};
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(OneMethod.class)
			.web(WebApplicationType.NONE)
			.initializers((starting) -> starting.getBeanFactory().registerSingleton("service", details))
			.run("--spring.data.redis.client-type=jedis", "--spring.data.redis.port=1");
				LockHandle lock = context.getBean(LockOperations.class).acquire("order")) {
			assertThat(lock.isHeld()).isTrue();
		}
	}

	private static ConfigurableApplicationContext start(Class<?> application, String... arguments) {
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE).run(arguments);
	}

}
