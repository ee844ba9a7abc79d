package io.github.lockboot.redis.transport;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

@DependsOnRedisVersion
class RefusedInboxTests {

	private final RedisServer redis = RedisFixture
		.newServer(RedisOptions.defaults().withUser("shop", "secret", "~*", "resetchannels", "+@all"));

	private final RedisTransport transport = Applications.connect(Applications.of(this.redis, "shop", "secret"),
			Duration.ofSeconds(1), List.of());

	private final Queue<String> messages = new ConcurrentLinkedQueue<>();

	private final AtomicInteger openings = new AtomicInteger();

	@AfterEach
	void close() {
		this.transport.close();
		this.redis.close();
	}

	@Test
	void oneThatRedisRefusedOpensOnDemandOnceItIsAllowed() {
		Inbox inbox = inbox();
		await().until(() -> !refusals().isEmpty());
		allow();
		assertThat(inbox.isOpen()).isFalse();
		await().until(() -> reopened(inbox));
		this.redis.command("PUBLISH", "inbox", "grant");
		await().until(() -> this.messages.contains("grant"));
	}

	@Test
	void oneWhosePermissionWasTakenAwayForAWhileOpensOnDemand() {
		allow();
		Inbox inbox = inbox();
		await().until(inbox::isOpen);
		this.redis.command("ACL", "SETUSER", "shop", "resetchannels");
		await().until(() -> !inbox.isOpen());
		allow();
		await().until(() -> reopened(inbox));
		assertThat(this.openings).hasValueGreaterThan(1);
	}

	private Inbox inbox() {
		return this.transport.inbox("inbox", this.messages::add, this.openings::incrementAndGet);
	}

	private List<?> refusals() {
		return (List<?>) Objects.requireNonNull(this.redis.command("ACL", "LOG"));
	}

	private void allow() {
		this.redis.command("ACL", "SETUSER", "shop", "resetchannels", "&inbox");
	}

	private static boolean reopened(Inbox inbox) {
		inbox.probe();
		return inbox.isOpen();
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(20));
	}

}
