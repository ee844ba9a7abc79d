package io.github.lockboot.autoconfigure;

import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.resource.ClientResources;
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
import org.springframework.data.redis.core.StringRedisTemplate;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.autoconfigure.FailureAnalyzerTests.OneMethod;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The clients of the locks, which are Lettuce whatever client the application has, and
 * which it may change.
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class LettuceClientTests {

	private final RedisServer redis;

	LettuceClientTests(RedisServer redis) {
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
				return Standalone.of(LettuceClientTests.this.redis.host(), LettuceClientTests.this.redis.port());
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

	@Test
	void resourcesOfACustomizerRecordTheCommandsOfLocksAndNoOthers() {
		Recorder recorder = new Recorder();
		LockRunners.redis(this.redis).withBean(LettuceClientCustomizer.class, () -> recorder).run((context) -> {
			context.getBean(StringRedisTemplate.class).opsForValue().get("a");
			context.getBean(LockOperations.class).execute("order", () -> {
			});
			assertThat(recorder.commands).contains("EVALSHA").doesNotContain("GET");
		});
	}

	private static ConfigurableApplicationContext start(Class<?> application, String... arguments) {
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE).run(arguments);
	}

	private static final class Recorder implements LettuceClientCustomizer, CommandLatencyRecorder {

		private final Set<String> commands = ConcurrentHashMap.newKeySet();

		@Override
		public void customize(ClientResources.Builder resources) {
			resources.commandLatencyRecorder(this);
		}

		@Override
		public void recordCommandLatency(SocketAddress local, SocketAddress remote, ProtocolKeyword command,
				long firstResponse, long completion) {
			this.commands.add(command.toString());
		}

	}

}
