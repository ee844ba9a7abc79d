package io.github.lockboot.redis;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.github.lockboot.StaleTokenException;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@RedisTest
class FencedScriptTests {

	private static final long TOKEN = 1_795_262_400_123_456_789L;

	private final FencedScript<Long> take = FencedScript.of("return redis.call('DECRBY', KEYS[1], ARGV[1])",
			Long.class);

	private final RedisServer server;

	@AutoClose("destroy")
	private final LettuceConnectionFactory connectionFactory;

	private StringRedisTemplate redis;

	FencedScriptTests(RedisServer server) {
		this.server = server;
		this.connectionFactory = Applications.of(server);
	}

	@BeforeEach
	void connect() {
		this.connectionFactory.afterPropertiesSet();
		this.connectionFactory.start();
		this.redis = new StringRedisTemplate(this.connectionFactory);
	}

	private @Nullable Long take(long token) {
		return this.take.execute(this.redis, token, List.of("stock"), "3");
	}

	@Test
	void theScriptSeesItsOwnKeysAndArgumentsOnly() {
		FencedScript<List<?>> script = FencedScript.of("return {#KEYS, KEYS[1], KEYS[2], #ARGV, ARGV[1]}", listType());
		assertThat(script.execute(this.redis, TOKEN, List.of("a", "b"), "c")).isEqualTo(List.of(2L, "a", "b", 1L, "c"));
	}

	@Test
	void aHolderMayWriteAgainAndAgain() {
		take(TOKEN);
		assertThat(take(TOKEN)).isEqualTo(-6);
	}

	@Test
	void aLaterHolderMayWrite() {
		take(TOKEN);
		assertThat(take(TOKEN + 1)).isEqualTo(-6);
	}

	@Test
	void aTokenWithMoreDigitsIsLater() {
		take(9);
		assertThat(take(10)).isEqualTo(-6);
	}

	@Test
	void anOvertakenHolderIsRejectedAndChangesNothing() {
		take(TOKEN + 1);
		assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> take(TOKEN)).satisfies((refusal) -> {
			assertThat(refusal.fencingToken()).isEqualTo(TOKEN);
			assertThat(refusal.latestToken()).isEqualTo(TOKEN + 1);
		});
		assertThat(this.server.command("GET", "stock")).isEqualTo("-3");
	}

	@Test
	void theTokenIsInTheSlotOfTheFirstKey() {
		take(TOKEN);
		this.take.execute(this.redis, TOKEN, List.of("{shop}:stock"), "3");
		assertThat(this.server.command("GET", "{stock}:fence")).isEqualTo("" + TOKEN);
		assertThat(this.server.command("GET", "{shop}:stock:fence")).isEqualTo("" + TOKEN);
	}

	@Test
	void anErrorOfTheScriptItselfIsNotTakenForARejection() {
		this.server.command("SET", "stock", "many");
		assertThatExceptionOfType(RedisSystemException.class).isThrownBy(() -> take(TOKEN));
	}

	@Test
	void aScriptWithoutAKeyIsRejectedBeforeItIsSent() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.take.execute(this.redis, TOKEN, List.of(), "3"))
			.withMessageContaining("needs a key");
	}

	@Test
	void aScriptWithItsOwnHeaderIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> FencedScript.of("#!lua\nreturn 1", Long.class))
			.withMessageContaining("#!");
	}

	@SuppressWarnings("unchecked")
	private static Class<List<?>> listType() {
		return (Class<List<?>>) (Class<?>) List.class;
	}

}
