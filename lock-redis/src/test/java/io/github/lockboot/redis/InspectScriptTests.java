package io.github.lockboot.redis;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.redis.ScriptClient.number;
import static org.assertj.core.api.Assertions.assertThat;

class InspectScriptTests extends LockScriptTests {

	InspectScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void anUnknownLockIsFreeAndNotCreated() {
		assertThat(this.client.inspect()).containsExactly("", -2L, 0L, 0L, 0L);
		assertThat(this.redis.command("DBSIZE")).isEqualTo(0L);
	}

	@Test
	void anotherProgramsKeyWithoutExpiryHasNoEnd() {
		this.redis.command("SET", this.client.lock, "legacy");
		assertThat(this.client.inspect()).containsExactly("legacy", -1L, 0L, 0L, 1L);
	}

	@Test
	void ofManyHoldersTenAreNamed() {
		for (int i = 10; i < 22; i++) {
			this.client.share("f0:" + i, LEASE + 1000 * i, 20);
		}
		List<Object> reply = this.client.inspect();
		assertThat(number(reply, 4)).isEqualTo(12);
		assertThat(reply.subList(5, reply.size())).hasSize(10).startsWith("f0:12").endsWith("f0:21");
	}

	@Test
	void onlyReads() {
		this.client.take("a", LEASE);
		assertThat(this.redis.commandsDuring(this.client::inspect).calls())
			.isEqualTo(Map.of("evalsha", 1L, "get", 2L, "pttl", 1L, "hlen", 1L));
	}

}
