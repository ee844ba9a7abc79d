package io.github.lockboot.redis.connection;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Whether a failed script may have been sent, on a connection whose writes and replies
 * the test controls.
 */
class ScriptReplyTests {

	private static final IllegalStateException FAILURE = new IllegalStateException("given up");

	private static final LuaScript SCRIPT = new LuaScript("return 1");

	private final List<RedisCommand<?, ?, ?>> commands = new ArrayList<>();

	private final CompletableFuture<Void> load = new CompletableFuture<>();

	private final ScriptReply<String> reply = new ScriptReply<>(connection(this.commands),
			new RedisConnection.ExactUtf8Codec(), SCRIPT, new String[] { "k" }, new String[] { "a" }, () -> this.load)
		.send();

	@Test
	void aCallThatFailsBeforeItIsWrittenHasCertainlyNotBeenSent() {
		this.commands.get(0).completeExceptionally(new RedisException("not connected"));
		assertThatNotSent().havingCause().withMessage("not connected");
	}

	@Test
	void aCallThatFailsAfterItWasWrittenMayHaveBeenSent() {
		written();
		this.commands.get(0).completeExceptionally(FAILURE);
		assertThatMayBeSent();
	}

	@Test
	void aCallThatIsCancelledBeforeItIsWrittenIsNeverSent() {
		this.reply.completeExceptionally(FAILURE);
		assertThat(written()).isEqualTo("*1\r\n$4\r\nPING\r\n");
		assertThatNotSent();
	}

	@Test
	void aCallThatIsCancelledAfterItWasWrittenMayHaveBeenSent() {
		assertThat(written()).contains("EVALSHA", SCRIPT.sha1());
		this.reply.completeExceptionally(FAILURE);
		assertThatMayBeSent();
	}

	@Test
	void aCallThatIsCancelledWhileTheScriptsAreLoadedIsNeverSent() {
		written();
		this.commands.get(0).completeExceptionally(new RedisNoScriptException("NOSCRIPT"));
		this.reply.completeExceptionally(FAILURE);
		this.load.complete(null);
		assertThatNotSent();
		assertThat(this.commands).hasSize(1);
	}

	@Test
	void theTextIsSentIfTheScriptsCannotBeLoaded() {
		this.commands.get(0).completeExceptionally(new RedisNoScriptException("NOSCRIPT"));
		this.load.completeExceptionally(FAILURE);
		assertThat(written()).contains("EVAL\r\n", "return 1");
	}

	/** A redirected command is written again. */
	@Test
	void aRepeatedWriteSendsTheScriptBothTimes() {
		assertThat(written()).isEqualTo(written());
	}

	private ThrowableAssertAlternative<CommandNotSentException> assertThatNotSent() {
		return assertThatExceptionOfType(CommandNotSentException.class).isThrownBy(this::failure);
	}

	private void assertThatMayBeSent() {
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(this::failure).isSameAs(FAILURE);
	}

	private void failure() throws Throwable {
		throw Objects.requireNonNull(this.reply.<Throwable>handle((result, failure) -> failure).join());
	}

	private String written() {
		ByteBuf buffer = Unpooled.buffer();
		this.commands.get(this.commands.size() - 1).encode(buffer);
		return buffer.toString(StandardCharsets.UTF_8);
	}

	/** Return a connection that keeps the commands to be written. */
	@SuppressWarnings("unchecked")
	static StatefulConnection<String, String> connection(List<RedisCommand<?, ?, ?>> commands) {
		return (StatefulConnection<String, String>) Proxy.newProxyInstance(ScriptReplyTests.class.getClassLoader(),
				new Class<?>[] { StatefulConnection.class }, (proxy, method, arguments) -> {
					commands.add((RedisCommand<?, ?, ?>) arguments[0]);
					return arguments[0];
				});
	}

}
