package io.github.lockboot.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each way in which a server ends or refuses the connections of the locks for a while:
 * once it accepts them, everything works without a restart of the application.
 */
@Timeout(60)
@Tag("long")
class RedisClientEndsTests {

	private static final LockRequest REQUEST = LockRequest.of("orders:42").waitTime(Duration.ofSeconds(30));

	private final RedisServer redis = RedisFixture
		.newServer(RedisOptions.defaults().withPersistence().withUser("app", "secret", "~*", "&*", "+@all"));

	private final RedisLockTemplate locks = template();

	private final RedisLockTemplate others = template();

	@AfterEach
	void close() {
		this.locks.close();
		this.others.close();
		this.redis.close();
	}

	@ParameterizedTest
	@EnumSource
	void locksWorkOnceTheServerAcceptsTheConnectionAgain(End end) {
		LockHandle held = this.locks.acquire(REQUEST);
		CompletableFuture<LockHandle> waiting = this.others.acquireAsync(REQUEST).toCompletableFuture();
		Awaitility.await().until(() -> this.locks.inspect(held.name()).waiting() == 1);
		end.begin.accept(this.redis);
		// several refused attempts
		Awaitility.await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
		end.cure.accept(this.redis);
		Awaitility.await()
			.ignoreExceptions()
			.untilAsserted(() -> this.locks.acquire(LockRequest.of("another").waitTime(Duration.ZERO)).close());
		assertThat(held.isHeld()).isTrue();
		held.close();
		waiting.join().close();
	}

	private RedisLockTemplate template() {
		return RedisConnections.template(Applications.of(this.redis, "app", "secret"));
	}

	private enum End {

		CUT((redis) -> {
		}, (redis) -> {
		}),

		PASSWORD(user("resetpass", ">other"), user("resetpass", ">secret")),

		DISABLED(user("off"), user("on")),

		NO_RIGHTS(user("-@all"), user("+@all")),

		NO_HANDSHAKE(user("-hello", "-auth", "-client"), user("+@all")),

		KILLED(RedisServer::kill, RedisServer::start),

		FROZEN(RedisServer::freeze, RedisServer::thaw);

		private final Consumer<RedisServer> begin;

		private final Consumer<RedisServer> cure;

		End(Consumer<RedisServer> begin, Consumer<RedisServer> cure) {
			this.begin = begin.andThen((redis) -> {
				if (redis.isRunning() && !name().equals("FROZEN")) {
					redis.command("CLIENT", "KILL", "TYPE", "normal");
					redis.command("CLIENT", "KILL", "TYPE", "pubsub");
				}
			});
			this.cure = cure;
		}

		private static Consumer<RedisServer> user(String... rules) {
			Stream<String> command = Stream.concat(Stream.of("ACL", "SETUSER", "app"), Stream.of(rules));
			String[] words = command.toArray(String[]::new);
			return (redis) -> redis.command(words);
		}

	}

}
