package io.github.lockboot.redis.connection;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.NewThreadExecutor;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisReplyException;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

@DependsOnRedisVersion
class RefusedSubscriptionTests implements Subscription.Listener<String> {

	private final RedisServer redis = RedisFixture
		.newServer(RedisOptions.defaults().withUser("shop", "secret", "~*", "resetchannels", "+@all"));

	private final RedisConnection<String> connection = Applications
		.connect(Applications.of(this.redis, "shop", "secret"), Duration.ofSeconds(1), List.of());

	private final Queue<String> messages = new ConcurrentLinkedQueue<>();

	private final AtomicInteger openings = new AtomicInteger();

	private final AtomicInteger rejections = new AtomicInteger();

	@AfterEach
	void close() {
		this.connection.close();
		this.redis.close();
	}

	@Test
	void aRejectedSubscriptionOpensOnDemandOnceItIsAllowed() {
		Subscription subscription = subscription();
		await().until(() -> !refusals().isEmpty());
		allow();
		assertThat(subscription.isOpen("inbox")).isFalse();
		await().until(() -> reopened(subscription));
		this.redis.command("PUBLISH", "inbox", "grant");
		await().until(() -> this.messages.contains("grant"));
	}

	@Test
	void aSubscriptionWhosePermissionWasRevokedForATimeOpensOnDemand() {
		allow();
		Subscription subscription = subscription();
		await().until(() -> subscription.isOpen("inbox"));
		this.redis.command("ACL", "SETUSER", "shop", "resetchannels");
		await().until(() -> !subscription.isOpen("inbox"));
		allow();
		await().until(() -> reopened(subscription));
		assertThat(this.openings).hasValueGreaterThan(1);
	}

	@Test
	void aServerThatIsBusyWithAScriptHasNotRejectedASubscription() {
		allow();
		Subscription subscription = this.connection.subscribe(this);
		this.redis.command("CONFIG", "SET", "lua-time-limit", "1");
		CompletableFuture<Object> script = CompletableFuture
			.supplyAsync(() -> this.redis.command("EVAL", "while true do end", "0"), NewThreadExecutor::run);
		await().until(() -> isBusy());
		subscription.add("inbox");
		await().pollDelay(Duration.ofMillis(300)).until(() -> true);
		this.redis.command("SCRIPT", "KILL");
		await().until(() -> script.isCompletedExceptionally() && subscription.isOpen("inbox"));
		assertThat(this.rejections).hasValue(0);
	}

	private boolean isBusy() {
		try {
			this.redis.command("GET", "any");
			return false;
		}
		catch (RedisReplyException ex) {
			return String.valueOf(ex.getMessage()).startsWith("BUSY");
		}
	}

	@Override
	public void refused(String channel, Throwable failure) {
		this.rejections.incrementAndGet();
	}

	private Subscription subscription() {
		Subscription subscription = this.connection.subscribe(this);
		subscription.add("inbox");
		return subscription;
	}

	@Override
	public void message(String channel, String message) {
		this.messages.add(message);
	}

	@Override
	public void opened(String channel) {
		this.openings.incrementAndGet();
	}

	private List<?> refusals() {
		return (List<?>) Objects.requireNonNull(this.redis.command("ACL", "LOG"));
	}

	private void allow() {
		this.redis.command("ACL", "SETUSER", "shop", "resetchannels", "&inbox");
	}

	private static boolean reopened(Subscription subscription) {
		subscription.probe("inbox");
		return subscription.isOpen("inbox");
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(20));
	}

}
