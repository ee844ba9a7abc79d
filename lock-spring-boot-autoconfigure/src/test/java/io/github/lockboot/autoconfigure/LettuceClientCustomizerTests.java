package io.github.lockboot.autoconfigure;

import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.resource.ClientResources;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.github.lockboot.LockOperations;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Changes of the private clients, as an application makes them.
 */
@RedisTest
class LettuceClientCustomizerTests {

	private final ApplicationContextRunner runner;

	LettuceClientCustomizerTests(RedisServer redis) {
		this.runner = LockRunners.redis(redis);
	}

	@Test
	void resourcesOfACustomizerRecordTheCommandsOfLocksAndNoOthers() {
		Recorder recorder = new Recorder();
		this.runner.withBean(LettuceClientCustomizer.class, () -> recorder).run((context) -> {
			context.getBean(StringRedisTemplate.class).opsForValue().get("a");
			context.getBean(LockOperations.class).execute("order", () -> {
			});
			assertThat(recorder.commands).contains("EVALSHA").doesNotContain("GET");
		});
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
