package io.github.lockboot.redis.connection;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

@DependsOnRedisVersion
@RedisTest
class SubscriptionTests implements Subscription.Listener<String> {

	private final AtomicInteger opened = new AtomicInteger();

	private final Queue<String> messages = new ConcurrentLinkedQueue<>();

	/** Channels of empty messages. */
	private final Queue<String> probes = new ConcurrentLinkedQueue<>();

	@Test
	void isOpenedAgainAfterItsConnectionWasKilled(RedisServer redis) {
		try (RedisConnection<String> connection = Applications.connect(Applications.of(redis), Duration.ofSeconds(1),
				List.of()); Subscription subscription = open(connection)) {
			redis.command("CLIENT", "KILL", "TYPE", "pubsub");
			Awaitility.await().until(() -> this.opened.get() == 2 && subscription.isOpen("inbox"));
		}
	}

	/** Lettuce resubscribes only to channels that Redis has confirmed before. */
	@Test
	void isOpenedEvenIfItsConnectionBreaksBeforeTheConfirmation() {
		try (RedisServer redis = RedisFixture.newServer();
				RedisConnection<String> connection = Applications.connect(Applications.of(redis), Duration.ofSeconds(2),
						List.of());
				Subscription subscription = connection.subscribe(this)) {
			redis.freeze();
			subscription.add("inbox");
			redis.kill();
			redis.start();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> subscription.isOpen("inbox"));
		}
	}

	@Test
	void aProbeChangesNothingOnALivingConnection(RedisServer redis) {
		try (RedisConnection<String> connection = Applications.connect(Applications.of(redis), Duration.ofSeconds(1),
				List.of()); Subscription subscription = open(connection)) {
			subscription.probe("inbox");
			redis.command("PUBLISH", "inbox", "hello");
			Awaitility.await().untilAsserted(() -> assertThat(this.messages).containsExactly("hello"));
			assertThat(this.opened).hasValue(1);
		}
	}

	@Test
	void aProbeSendsNothingToAChannelOfSeveralJvms(RedisServer redis) {
		try (RedisConnection<String> connection = Applications.connect(Applications.of(redis), Duration.ofSeconds(1),
				List.of()); Subscription subscription = open(connection)) {
			subscription.add("shared");
			Awaitility.await().until(() -> subscription.isOpen("shared"));
			subscription.probe("inbox");
			Awaitility.await().untilAsserted(() -> assertThat(this.probes).containsExactly("inbox"));
			redis.command("PUBLISH", "shared", "last");
			Awaitility.await().untilAsserted(() -> assertThat(this.messages).containsExactly("last"));
			assertThat(this.probes).containsExactly("inbox");
		}
	}

	@Test
	void aProbeFindsAConnectionThatIsDead(RedisServer redis) throws Exception {
		try (RedisProxy cable = new RedisProxy(redis);
				RedisConnection<String> connection = Applications.connect(Applications.at("127.0.0.1", cable.port()),
						Duration.ofMillis(300), List.of());
				Subscription subscription = open(connection)) {
			cable.drop();
			subscription.probe("inbox");
			Awaitility.await().until(() -> this.opened.get() == 2 && subscription.isOpen("inbox"));
		}
	}

	private Subscription open(RedisConnection<String> connection) {
		Subscription subscription = connection.subscribe(this);
		subscription.add("inbox");
		Awaitility.await().until(() -> this.opened.get() == 1);
		return subscription;
	}

	@Override
	public void message(String channel, String message) {
		if (message.isEmpty()) {
			this.probes.add(channel);
		}
		else {
			this.messages.add(message);
		}
	}

	@Override
	public void opened(String channel) {
		this.opened.incrementAndGet();
	}

}
