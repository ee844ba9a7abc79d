package io.github.lockboot.redis.connection;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.DefaultEndpoint;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.netty.channel.embedded.EmbeddedChannel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@RedisTest
class IdleConnectionWatchdogTests {

	private static final LuaScript ECHO = LuaScript.read(RedisConnectionTests.class, "echo.lua");

	private static final Duration LIMIT = Duration.ofMillis(50);

	private final ClientResources resources = DefaultClientResources.create();

	private final CommandHandler commands = new CommandHandler(ClientOptions.create(), this.resources,
			new DefaultEndpoint(ClientOptions.create(), this.resources));

	private final EmbeddedChannel channel = new EmbeddedChannel(new IdleConnectionWatchdog(LIMIT));

	@BeforeEach
	void addCommands() {
		this.channel.pipeline().addLast(this.commands);
	}

	@AfterEach
	void endThreads() {
		this.resources.shutdown(0, 1, TimeUnit.SECONDS);
	}

	@Test
	void closesAConnectionThatDoesNotReply() {
		this.commands.getStack().add(new Command<>(CommandType.PING, null));
		Awaitility.await().atMost(Duration.ofSeconds(2)).until(this::isClosed);
	}

	@Test
	void permitsSilenceWithoutPendingCommands() {
		Awaitility.await().during(LIMIT.multipliedBy(4)).until(() -> !isClosed());
	}

	@Test
	void permitsSlowRepliesToOneCommandAfterTheOther() {
		AtomicInteger looks = new AtomicInteger();
		Awaitility.await().pollInterval(LIMIT.dividedBy(2)).until(() -> {
			assertThat(isClosed()).isFalse();
			this.commands.getStack().poll();
			this.commands.getStack().add(new Command<>(CommandType.PING, null));
			return looks.incrementAndGet() == 12;
		});
	}

	@Test
	void aDeadConnectionIsReplacedByANewOne(RedisServer redis) throws Exception {
		try (RedisProxy cable = new RedisProxy(redis);
				RedisConnection<String> connection = Applications.connect(Applications.at("127.0.0.1", cable.port()),
						Duration.ofMillis(300), List.of(ECHO))) {
			run(connection);
			cable.drop();
			assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> run(connection))
				.withMessageContaining("disconnected");
			Awaitility.await()
				.atMost(Duration.ofSeconds(2))
				.ignoreExceptions()
				.until(() -> run(connection).size() == 2);
		}
	}

	@Test
	void aConnectionThatDiesDuringAWaitForReplicasIsReplaced(RedisServer redis) throws Exception {
		try (RedisProxy cable = new RedisProxy(redis);
				RedisConnection<String> connection = Applications.connect(Applications.at("127.0.0.1", cable.port()),
						Duration.ofMillis(300), List.of(ECHO))) {
			for (int i = 0; i < 15; i++) { // soon both commands are sent before a reply
				connection.runReplicated(ECHO, true, new String[] { "k" }, 1, 1, "a")
					.exceptionally((ex) -> List.of())
					.join();
			}
			CompletableFuture<List<Object>> waiting = connection.runReplicated(ECHO, true, new String[] { "k" }, 1, 900,
					"a");
			Awaitility.await().until(() -> "1".equals(redis.info("clients", "blocked_clients")));
			run(connection); // by now the reply of the script has arrived
			cable.drop();
			assertThat(waiting).failsWithin(Duration.ofSeconds(10));
			CompletableFuture<List<Object>> next = connection.runReplicated(ECHO, true, new String[] { "k" }, 1, 1,
					"a");
			assertThat(next).failsWithin(Duration.ofSeconds(10))
				.withThrowableThat()
				.withMessageContaining("0 of 1 replicas");
		}
	}

	@Test
	void permitsSilenceOfASubscription(RedisServer redis) {
		List<String> closed = new CopyOnWriteArrayList<>();
		try (RedisConnection<String> connection = Applications.connect(Applications.of(redis), Duration.ofMillis(300),
				List.of(ECHO)); Subscription subscription = connection.subscribe(new ClosedChannels(closed))) {
			subscription.add("one");
			subscription.add("other");
			Awaitility.await().until(() -> subscription.isOpen("one") && subscription.isOpen("other"));
			// the shortest limit is a second
			Awaitility.await().during(Duration.ofMillis(2500)).until(closed::isEmpty);
		}
	}

	private static List<Object> run(RedisConnection<String> connection) {
		return connection.run(ECHO, new String[] { "k" }, "a").orTimeout(4, TimeUnit.SECONDS).join();
	}

	private boolean isClosed() {
		this.channel.runScheduledPendingTasks();
		return !this.channel.isOpen();
	}

	private record ClosedChannels(List<String> channels) implements Subscription.Listener<String> {

		@Override
		public void message(String channel, String message) {
		}

		@Override
		public void opened(String channel) {
		}

		@Override
		public void closed(String channel) {
			this.channels.add(channel);
		}

	}

}
