package io.github.lockboot.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The library and a program that sends the commands of {@code docs/protocol.md} literally
 * exclude each other.
 */
@RedisTest
class ProtocolTests {

	/** Parts of scripts. */
	private static final Set<String> PARTS = Set.of("handover", "queue", "acquire-first", "acquire-free",
			"release-last", "release-owned", "fenced", "constants");

	private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

	private static final LockRequest ORDER = LockRequest.of("order:42").waitTime(Duration.ZERO);

	private final Page page = Page.docs("protocol.md");

	private final List<String> commands = this.page.blocks("redis");

	private final RedisServer redis;

	@AutoClose
	private final RedisLockTemplate locks;

	ProtocolTests(RedisServer redis) {
		this.redis = redis;
		this.locks = template(Applications.of(redis));
	}

	@Test
	void aForeignOwnerExcludesOursUntilItReleases() {
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

	@Test
	void aLockHasTheKeysOfTheTableWhileSomebodyWaits() {
		try (RedisLockTemplate other = template(Applications.of(this.redis))) {
			LockHandle lock = other.acquire(ORDER);
			CompletableFuture<LockHandle> waiting = queued(this.locks, this.redis);
			assertThat(keys()).isEqualTo(this.page.table("The keys of a lock")
				.stream()
				.collect(Collectors.toMap((row) -> row.get(0).replace("`", ""), (row) -> row.get(1))));
			lock.close();
			waiting.join().close();
		}
		assertThat(keys()).isEqualTo(Map.of("lock:{order:42}:f", "string"));
	}

	@Test
	void theScriptsAreThoseOfTheLibrary() throws IOException {
		try (Stream<Path> files = Files.list(Path.of("../../lock-redis/src/main/resources/io/github/lockboot/redis"))) {
			assertThat(files.map((file) -> file.getFileName().toString().replace(".lua", ""))
				.filter((name) -> !PARTS.contains(name))).containsExactlyInAnyOrderElementsOf(
						this.page.table("Scripts").stream().map((row) -> row.get(0).replace("`", "")).toList());
		}
	}

	private static RedisLockTemplate template(LettuceConnectionFactory application) {
		return new RedisLockTemplate(application, RedisLockSettings.defaults(), List.of());
	}

	/** Let a template wait in the queue of the lock. */
	private static CompletableFuture<LockHandle> queued(RedisLockTemplate waiter, RedisServer server) {
		CompletableFuture<LockHandle> waiting = waiter.acquireAsync(ORDER.waitTime(Duration.ofSeconds(30)))
			.toCompletableFuture();
		Awaitility.await().until(() -> Long.valueOf(1).equals(server.command("LLEN", "lock:{order:42}:q")));
		return waiting;
	}

	/** The keys of all locks with their types. */
	private Map<String, String> keys() {
		return this.redis.list("KEYS", "lock:*")
			.stream()
			.collect(Collectors.toMap(Function.identity(), (name) -> String.valueOf(this.redis.command("TYPE", name))));
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
