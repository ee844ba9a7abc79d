package io.github.lockboot.redis.connection;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.lettuce.core.RedisCommandExecutionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@DependsOnRedisVersion
class RedisConnectionTests {

	private static final LuaScript ECHO = LuaScript.read(RedisConnectionTests.class, "echo.lua");

	private static final LuaScript BROKEN = LuaScript.read(RedisConnectionTests.class, "broken.lua");

	private static final LuaScript WRITE = LuaScript.read(RedisConnectionTests.class, "write.lua");

	private final RedisServer redis = RedisFixture.newServer();

	private final RedisConnection<String> connection = Applications.connect(Applications.of(this.redis),
			Duration.ofSeconds(1), List.of(ECHO));

	@AfterEach
	void close() {
		this.connection.close();
		this.redis.close();
	}

	@Test
	void anArrayContainsNumbersAndTexts() {
		assertThat(run("a\u00fc").join()).containsExactly(9_007_199_254_740_992L, "a\u00fc");
	}

	/** A callback of a reply keeps the thread of the connection busy. */
	@Test
	void scriptsThatAreCalledWhileTheConnectionIsBusyAreSentTogether() {
		LuaScript batch = LuaScript.read(RedisConnectionTests.class, "batch.lua");
		LuaScript.Batched script = new LuaScript.Batched(ECHO, batch, 'e', 1, 1);
		CountDownLatch busy = new CountDownLatch(1);
		CountDownLatch over = new CountDownLatch(1);
		try (RedisConnection<String> batching = Applications.connect(Applications.of(this.redis), Duration.ofSeconds(1),
				List.of(ECHO, batch))) {
			CommandCounts counts = this.redis.commandsDuring(() -> {
				this.redis.freeze(); // so that the callback is there before the reply
				batching.run(script, new String[] { "k" }, "alone").thenAccept((reply) -> {
					assertThat(reply).contains("alone");
					busy.countDown();
					await(over);
				});
				this.redis.thaw();
				await(busy);
				List<CompletableFuture<List<Object>>> replies = IntStream.range(0, 10)
					.mapToObj((i) -> batching.run(script, new String[] { "k" + i }, "a" + i))
					.toList();
				over.countDown();
				for (int i = 0; i < 10; i++) {
					assertThat(replies.get(i).join()).containsExactly("batch of a" + i);
				}
			});
			assertThat(counts.calls()).containsEntry("evalsha", 2L);
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void missingScriptsAreLoadedOnceForAllCallers() {
		this.redis.command("SCRIPT", "FLUSH");
		CommandCounts counts = this.redis.commandsDuring(() -> {
			this.redis.freeze();
			List<CompletableFuture<List<Object>>> replies = IntStream.range(0, 50).mapToObj((i) -> run("a")).toList();
			this.redis.thaw();
			replies.forEach(CompletableFuture::join);
		});
		assertThat(counts.calls()).containsEntry("evalsha", 100L).doesNotContainKey("eval");
		assertThat(loads(counts)).isOne();
	}

	@Test
	void aReconnectLoadsScriptsOnceBeforeAnyOfThemIsSent() {
		this.redis.kill();
		this.redis.start();
		Awaitility.await().until(() -> !run("a").handle((reply, failure) -> failure != null).join());
		CommandCounts counts = this.redis.commandStats();
		assertThat(loads(counts)).isOne();
		assertThat(counts.calls()).containsEntry("evalsha", 1L).doesNotContainKey("eval");
	}

	@Test
	void aScriptThatMayNotBeLoadedIsSentWithItsText() {
		this.redis.command("SCRIPT", "FLUSH");
		this.redis.command("ACL", "SETUSER", "default", "-script");
		assertThat(run("a").join()).contains("a");
		assertThat(this.redis.commandsDuring(() -> run("a").join()).calls()).containsOnlyKeys("evalsha");
	}

	/** Before Redis 7 the subcommands are counted with the command. */
	private static long loads(CommandCounts counts) {
		return counts.calls().containsKey("script|load") ? counts.of("script|load") : counts.of("script");
	}

	@Test
	void aReadOnlyServerIsDisconnectedAtMostOnceASecond() {
		this.redis.command("REPLICAOF", "127.0.0.1", "1");
		long greetings = this.redis.commandStats().of("hello");
		long start = System.nanoTime();
		Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> {
			this.connection.run(WRITE, new String[] { "k" }).exceptionally((failure) -> List.of()).join();
			return this.redis.commandStats().of("hello") >= greetings + 3;
		});
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(2));
	}

	@Test
	void aScriptThatFailsIsSentOnceAndItsErrorIsReported() {
		this.connection.run(BROKEN, new String[] { "k" }).exceptionally((failure) -> List.of()).join();
		assertThat(this.redis
			.commandsDuring(() -> assertThatExceptionOfType(CompletionException.class)
				.isThrownBy(() -> this.connection.run(BROKEN, new String[] { "k" }).join())
				.withCauseInstanceOf(RedisCommandExecutionException.class)
				.withMessageContaining("on purpose"))
			.calls()).containsOnlyKeys("evalsha");
	}

	@Test
	void failsAtOnceWithoutAConnection() {
		this.redis.kill();
		Awaitility.await()
			.untilAsserted(() -> assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> run("a").join())
				.withCauseInstanceOf(CommandNotSentException.class)
				.withMessageContaining("not connected"));
		assertThat(run("a")).isCompletedExceptionally();
	}

	@Test
	void aCommandInFlightIsNotSentAgainAfterAReconnect() {
		this.redis.freeze();
		CompletableFuture<List<Object>> reply = run("a");
		this.redis.kill();
		assertThat(reply.handle((result, failure) -> failure).join()).isNotNull();
		this.redis.start();
		Awaitility.await().until(() -> !run("b").isCompletedExceptionally());
		assertThat(this.redis.commandStats().of("evalsha")).isLessThanOrEqualTo(1);
	}

	/**
	 * Lettuce silently drops a command that has not been written to the socket when the
	 * connection breaks.
	 */
	@Test
	void aCommandThatWaitsToBeWrittenFailsAtOnceWhenTheServerDies() {
		this.redis.freeze();
		String big = "x".repeat(100_000);
		List<CompletableFuture<List<Object>>> replies = IntStream.range(0, 200).mapToObj((i) -> run(big)).toList();
		this.redis.kill();
		Awaitility.await()
			.atMost(Duration.ofSeconds(2))
			.until(() -> replies.stream().allMatch(CompletableFuture::isCompletedExceptionally));
	}

	@Test
	void aCallForReplicasThatIsCancelledDuringAWaitIsNotSent() {
		runReplicated().join();
		CommandCounts counts = this.redis.commandsDuring(() -> {
			this.redis.freeze();
			List<CompletableFuture<List<Object>>> replies = IntStream.range(0, 3)
				.mapToObj((i) -> runReplicated())
				.toList();
			replies.get(1).cancel(true);
			this.redis.thaw();
			CompletableFuture.allOf(replies.get(0), replies.get(2)).join();
		});
		assertThat(counts.calls()).containsEntry("evalsha", 2L);
	}

	private CompletableFuture<List<Object>> runReplicated() {
		return this.connection.runReplicated(ECHO, true, new String[] { "k" }, 0, 1, "a")
			.orTimeout(5, TimeUnit.SECONDS);
	}

	private CompletableFuture<List<Object>> run(String text) {
		// no interrupt ends a join
		return this.connection.run(ECHO, new String[] { "k" }, text).orTimeout(5, TimeUnit.SECONDS);
	}

}
