package io.github.lockboot.redis;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several calls of the scripts of locks, as one.
 */
class BatchScriptTests extends LockScriptTests {

	private static final String OWNER = "0123456789abcdef:1";

	private static final String OTHER = "0123456789abcdef:2";

	private final ScriptClient a = this.client.about("a");

	BatchScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void callsAreCarriedOutInTheirOrder() {
		long token = this.a.take(OTHER, LEASE);
		List<Object> replies = this.a.batch("rar", List.of("a", "a", "b"), OTHER, token, OWNER, LEASE, 0, OTHER, 1);
		assertThat(replies.get(0)).isEqualTo(1L);
		assertThat((Long) replies.get(1)).isGreaterThan(token);
		assertThat(replies.get(2)).isNull();
		assertThat(this.a.owner()).isEqualTo(OWNER);
	}

	@Test
	void whatRedisRefusesDoesNotKeepOthersFromTheirLocks() {
		try (RedisServer full = RedisFixture.newServer(); ScriptClient client = new ScriptClient(full)) {
			ScriptClient first = client.about("a");
			first.take(OTHER, LEASE);
			full.exhaustMemory();
			assertThat(first.batch("ar", List.of("b", "a"), OWNER, LEASE, 0, OTHER, 1)).containsExactly(null, 1L);
			assertThat(full.command("EXISTS", first.lock, client.about("b").lock)).isEqualTo(0L);
		}
	}

}
