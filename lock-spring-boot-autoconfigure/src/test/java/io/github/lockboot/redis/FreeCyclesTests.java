package io.github.lockboot.redis;

import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tokens stay near the clock of Redis, however often a free lock is acquired and
 * released. The cycles run within Redis, faster than any client could request them. The
 * clock does not advance during a script, so that each of them uses a token.
 */
@RedisTest
class FreeCyclesTests {

	private static final int CYCLES = 1000;

	private static final Duration LIMIT = Duration.ofMinutes(1);

	private static final String SCRIPT = """
			local function acquire(KEYS, ARGV)
			%s
			end
			local function release(KEYS, ARGV)
			%s
			end
			local done = 0
			for cycle = 1, %d do
				local held = acquire(KEYS, {'a', '30000', '0', '1', 'x', 'no'})
				local used = string.format('%%.0f', type(held) == 'table' and held[2] or held)
				if release(KEYS, {'a', used, '30000', 'x'}) == 1 then
					done = done + 1
				end
			end
			return done
			""".formatted(LockScripts.ACQUIRE.text(), LockScripts.RELEASE.text(), CYCLES);

	private final RedisServer redis;

	private final ScriptClient client;

	FreeCyclesTests(RedisServer redis) {
		this.redis = redis;
		this.client = new ScriptClient(redis);
	}

	@Test
	void manyCyclesKeepTheTokenNearTheTime() {
		assertThatTokenStaysWithTheTime(30);
	}

	/** As above, with a million. */
	@Test
	@Tag("soak")
	void aMillionCyclesKeepTheTokenNearTheTime() {
		assertThatTokenStaysWithTheTime(1000);
	}

	private void assertThatTokenStaysWithTheTime(int rounds) {
		String script = String.valueOf(this.redis.command("SCRIPT", "LOAD", SCRIPT));
		String[] call = Stream
			.concat(Stream.of("EVALSHA", script, String.valueOf(this.client.keys().length)),
					Stream.of(this.client.keys()))
			.toArray(String[]::new);
		for (int i = 0; i < rounds; i++) {
			assertThat(Objects.requireNonNull(this.redis.command(LIMIT, call))).isEqualTo((long) CYCLES);
			assertThat(Long.parseLong(this.client.lastToken())).isLessThanOrEqualTo(this.client.timeMicros() + CYCLES);
		}
		assertThat(this.client.exists(this.client.lock)).isFalse();
	}

	@AfterEach
	void close() {
		this.client.close();
	}

}
