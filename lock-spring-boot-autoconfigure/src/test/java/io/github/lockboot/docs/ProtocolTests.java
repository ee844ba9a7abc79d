package io.github.lockboot.docs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A program that sends the commands of {@code docs/protocol.md} as they stand there, and
 * the library, exclude each other.
 */
@RedisTest
class ProtocolTests {

	private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

	private static final LockRequest ORDER = LockRequest.of("order:42").waitTime(Duration.ZERO);

	private final List<String> commands = Page.docs("protocol.md").blocks("redis");

	private final RedisServer redis;

	private final RedisLockTemplate locks;

	ProtocolTests(RedisServer redis) {
		this.redis = redis;
		this.locks = new RedisLockTemplate(new LettuceConnectionFactory(redis.host(), redis.port()),
				RedisLockSettings.defaults(), List.of());
	}

	@AfterEach
	void close() {
		this.locks.close();
	}

	@Test
	void aForeignOwnerExcludesOursUntilItGivesBack() {
		assertThat(take()).isEqualTo("OK");
		assertThat(this.locks.tryAcquire(ORDER)).isNull();
		assertThat(keep()).isEqualTo(1L);
		assertThat(giveBack()).isEqualTo(1L);
		this.locks.acquire(ORDER).close();
	}

	@Test
	void oursExcludesAForeignOwner() {
		try (LockHandle lock = this.locks.acquire(ORDER)) {
			assertThat(take()).isNull();
			assertThat(keep()).isEqualTo(0L);
			assertThat(giveBack()).isEqualTo(0L);
			assertThat(lock.isHeld()).isTrue();
		}
		assertThat(take()).isEqualTo("OK");
	}

	private @Nullable Object take() {
		return send(0);
	}

	private @Nullable Object keep() {
		return send(1);
	}

	private @Nullable Object giveBack() {
		return send(2);
	}

	private @Nullable Object send(int command) {
		List<String> words = new ArrayList<>();
		Matcher matcher = WORD.matcher(this.commands.get(command));
		while (matcher.find()) {
			words.add((matcher.group(1) != null) ? matcher.group(1) : matcher.group(2));
		}
		return this.redis.command(words.toArray(String[]::new));
	}

}
