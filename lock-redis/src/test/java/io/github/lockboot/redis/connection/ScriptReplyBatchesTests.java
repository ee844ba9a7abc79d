package io.github.lockboot.redis.connection;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is sent, by a thread that a test lets run, to a server whose replies it gives.
 */
class ScriptReplyBatchesTests {

	private static final LuaScript BATCH = new LuaScript("batch");

	private static final LuaScript.Batched FIRST = new LuaScript.Batched(new LuaScript("first"), BATCH, 'f', 1, 2);

	private static final LuaScript.Batched SECOND = new LuaScript.Batched(new LuaScript("second"), BATCH, 's', 2, 1);

	private final List<Runnable> tasks = new ArrayList<>();

	private final List<RedisCommand<?, ?, ?>> commands = new ArrayList<>();

	private final StatefulConnection<String, String> connection = ScriptReplyTests.connection(this.commands);

	private final ScriptReply.Batches<String> batches = new ScriptReply.Batches<>(this.tasks::add);

	@Test
	void aCallIsSentAsItIs() {
		call(FIRST, "k1", "k2", "x", "y", "z");
		run();
		assertThat(written(0)).isEqualTo("EVALSHA 1 2 k1 k2 x y z");
	}

	@Test
	void callsOfTheSameTimeAreSentAsOne() {
		call(FIRST, "k1", "k2", "x", "y", "z");
		call(SECOND, "l1", "l2", "u", "v", "w");
		run();
		assertThat(written(0)).isEqualTo("EVALSHA b 3 k1 l1 l2 fs x y u");
	}

	@Test
	void eachCallGetsItsReply() {
		ScriptReply<String> number = call(FIRST, "k1", "k2", "x", "y", "z");
		ScriptReply<String> array = call(FIRST, "l1", "l2", "x", "y", "z");
		run();
		replyToBatch(List.of(7L, List.of(1L, 2L)));
		assertThat(number).isCompletedWithValue(List.of(7L));
		assertThat(array).isCompletedWithValue(List.of(1L, 2L));
	}

	@Test
	void whatTheBatchHasNotCarriedOutIsSentAlone() {
		ScriptReply<String> done = call(FIRST, "k1", "k2", "x", "y", "z");
		ScriptReply<String> left = call(FIRST, "l1", "l2", "x", "y", "z");
		run();
		replyToBatch(Arrays.asList(7L, null));
		assertThat(done).isDone();
		assertThat(left).isNotDone();
		assertThat(written(1)).isEqualTo("EVALSHA 1 2 l1 l2 x y z");
	}

	@Test
	void afterACallThatTheBatchHasNotCarriedOutTheNextOnesWithItsKeyAreSentAlone() {
		call(FIRST, "k1", "k2", "x", "y", "z");
		call(FIRST, "l1", "l2", "x", "y", "z");
		run();
		replyToBatch(Arrays.asList(7L, null));
		for (int i = 0; i < 64; i++) {
			this.commands.clear();
			Stream.of("k1", "l1", "m1").forEach((key) -> call(FIRST, key, "k2", "x", "y", "z"));
			run();
			assertThat(written(0)).isEqualTo("EVALSHA 1 2 l1 k2 x y z");
			assertThat(written(1)).isEqualTo("EVALSHA b 2 k1 m1 ff x y x y");
		}
		this.commands.clear();
		Stream.of("k1", "l1").forEach((key) -> call(FIRST, key, "k2", "x", "y", "z"));
		run();
		assertThat(written(0)).startsWith("EVALSHA b 2 k1 l1 ");
	}

	/** The first ones alone, and the others in batches. */
	@Test
	void callsWithAKeyAreSentInTheirOrder() {
		call(FIRST, "k", "k2", "x", "y", "z");
		call(FIRST, "l", "l2", "x", "y", "z");
		run();
		replyToBatch(Arrays.asList(7L, null));
		this.commands.clear();
		for (int i = 100; i < 200; i++) {
			call(FIRST, "l", "l2", "l" + i, "y", "z");
			call(SECOND, "k", "k2", "k" + i, "y", "z");
			if (i % 7 == 0) {
				run();
			}
		}
		run();
		String sent = IntStream.range(0, this.commands.size()).mapToObj(this::written).collect(Collectors.joining(" "));
		assertThat(sent).contains("EVALSHA 1 2 l l2 l", "EVALSHA b ");
		for (String key : List.of("k", "l")) {
			assertThat(Pattern.compile(key + "\\d{3}").matcher(sent).results().map(MatchResult::group)).hasSize(100)
				.isSorted();
		}
	}

	@Test
	void whatIsCancelledBeforeIsNotSent() {
		ScriptReply<String> cancelled = call(FIRST, "k1", "k2", "x", "y", "z");
		call(FIRST, "l1", "l2", "u", "v", "w");
		cancelled.completeExceptionally(new IllegalStateException("too late"));
		assertThat(failure(cancelled)).isInstanceOf(CommandNotSentException.class);
		run();
		assertThat(written(0)).isEqualTo("EVALSHA b 1 l1 f u v");
	}

	@Test
	void whatIsCancelledLaterMayBeSentAndIsNotSentAgain() {
		ScriptReply<String> cancelled = call(FIRST, "k1", "k2", "x", "y", "z");
		call(FIRST, "l1", "l2", "x", "y", "z");
		run();
		cancelled.completeExceptionally(new IllegalStateException("too late"));
		assertThat(failure(cancelled)).isInstanceOf(IllegalStateException.class);
		replyToBatch(Arrays.asList(null, 7L));
		assertThat(this.commands).hasSize(1);
	}

	@Test
	void allFailWithTheirBatch() {
		ScriptReply<String> one = call(FIRST, "k1", "k2", "x", "y", "z");
		ScriptReply<String> other = call(FIRST, "l1", "l2", "x", "y", "z");
		run();
		written(0);
		this.commands.get(0).completeExceptionally(new RedisException("broken"));
		assertThat(List.of(one, other)).allSatisfy((call) -> assertThat(failure(call)).hasMessage("broken")
			.isNotInstanceOf(CommandNotSentException.class));
	}

	@Test
	void noneIsSentIfTheirBatchIsNot() {
		ScriptReply<String> one = call(FIRST, "k1", "k2", "x", "y", "z");
		ScriptReply<String> other = call(FIRST, "l1", "l2", "x", "y", "z");
		run();
		this.commands.get(0).completeExceptionally(new RedisException("not connected"));
		assertThat(List.of(one, other))
			.allSatisfy((call) -> assertThat(failure(call)).isInstanceOf(CommandNotSentException.class)
				.cause()
				.hasMessage("not connected"));
	}

	/** The connection writes to the network between two tasks. */
	@Test
	void theConnectionWritesABatchBeforeTheNextOneIsMade() {
		Collections.nCopies(40, "k").forEach((key) -> call(FIRST, key, key, "x", "y", "z"));
		run();
		assertThat(this.commands).hasSize(1);
		call(FIRST, "l", "l", "x", "y", "z");
		assertThat(this.tasks).hasSize(1);
		run();
		assertThat(written(1)).startsWith("EVALSHA b 9 ");
	}

	@Test
	void oneTaskSendsTheCallsOfABatch() {
		call(FIRST, "k1", "k2", "x", "y", "z");
		call(FIRST, "l1", "l2", "x", "y", "z");
		assertThat(this.tasks).hasSize(1);
		run();
		call(FIRST, "m1", "m2", "x", "y", "z");
		assertThat(this.tasks).hasSize(1);
	}

	@Test
	void isSentByTheCallerWithoutAThread() {
		ScriptReply.Batches<String> closed = new ScriptReply.Batches<>((task) -> {
			throw new RejectedExecutionException("closed");
		});
		closed.add(FIRST, reply(FIRST.script(), new String[] { "k1" }, new String[] { "x", "y" }));
		assertThat(written(0)).isEqualTo("EVALSHA 1 1 k1 x y");
	}

	private ScriptReply<String> call(LuaScript.Batched script, String key, String otherKey, String... arguments) {
		ScriptReply<String> call = reply(script.script(), new String[] { key, otherKey }, arguments);
		this.batches.add(script, call);
		return call;
	}

	private void run() {
		List<Runnable> due = List.copyOf(this.tasks);
		this.tasks.clear();
		due.forEach(Runnable::run);
	}

	private String written(int command) {
		ByteBuf buffer = Unpooled.buffer();
		this.commands.get(command).encode(buffer);
		return Stream.of(buffer.toString(StandardCharsets.UTF_8).split("\r\n"))
			.filter((line) -> !line.startsWith("*") && !line.startsWith("$"))
			.collect(Collectors.joining(" "))
			.replace(BATCH.sha1(), "b")
			.replace(FIRST.script().sha1(), "1");
	}

	@SuppressWarnings("unchecked")
	private void replyToBatch(List<@Nullable Object> reply) {
		((CompletableFuture<List<@Nullable Object>>) this.commands.get(0)).complete(reply);
	}

	private static Throwable failure(CompletableFuture<?> call) {
		return Objects.requireNonNull(call.<@Nullable Throwable>handle((reply, failure) -> failure).getNow(null));
	}

	private ScriptReply<String> reply(LuaScript script, String[] keys, String[] arguments) {
		return new ScriptReply<>(this.connection, StringCodec.UTF8, script, keys, arguments, CompletableFuture::new);
	}

}
