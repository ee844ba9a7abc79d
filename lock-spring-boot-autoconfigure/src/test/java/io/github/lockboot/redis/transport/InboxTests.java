package io.github.lockboot.redis.transport;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.RedisClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

@DependsOnRedisVersion
@RedisTest
class InboxTests {

	private final AtomicInteger opened = new AtomicInteger();

	private final Queue<String> messages = new ConcurrentLinkedQueue<>();

	@Test
	void bringsWhatIsPublished(RedisServer redis) {
		try (RedisTransport transport = Applications.connect(Applications.of(redis), Duration.ofSeconds(1), List.of());
				Inbox inbox = open(transport)) {
			assertThat(inbox.isOpen()).isTrue();
			redis.command("PUBLISH", "inbox", "hello");
			Awaitility.await().untilAsserted(() -> assertThat(this.messages).containsExactly("hello"));
		}
	}

	@Test
	void isOpenedAgainAfterItsConnectionWasKilled(RedisServer redis) {
		try (RedisTransport transport = Applications.connect(Applications.of(redis), Duration.ofSeconds(1), List.of());
				Inbox inbox = open(transport)) {
			redis.command("CLIENT", "KILL", "TYPE", "pubsub");
			Awaitility.await().until(() -> this.opened.get() == 2 && inbox.isOpen());
		}
	}

	/** Only what Redis has once agreed to does Lettuce subscribe to again. */
	@Test
	void isOpenedThoughItsConnectionBreaksBeforeRedisHasAgreed() {
		try (RedisServer redis = RedisFixture.newServer();
				PrivateConnectionFactory factory = PrivateConnectionFactory.of(
						ConnectionSettings.of(Applications.of(redis)), new ClientName(null, "locks"),
						Duration.ofSeconds(2))) {
			RedisClient client = factory.serverClient();
			try (Subscriber<String> inbox = Subscriber.on(client.connectPubSub(), Subscriber.Kind.CLASSIC,
					new TextInbox.Listener(this.messages::add, this.opened::incrementAndGet),
					Subscriber.Audience.UNCOUNTED)) {
				redis.freeze();
				inbox.subscribe("inbox");
				redis.kill();
				redis.start();
				Awaitility.await().atMost(Duration.ofSeconds(20)).until(inbox::isAnyOpen);
			}
		}
	}

	@Test
	void aProbeChangesNothingOnALivingConnection(RedisServer redis) {
		try (RedisTransport transport = Applications.connect(Applications.of(redis), Duration.ofSeconds(1), List.of());
				Inbox inbox = open(transport)) {
			inbox.probe();
			redis.command("PUBLISH", "inbox", "hello");
			Awaitility.await().untilAsserted(() -> assertThat(this.messages).containsExactly("hello"));
			assertThat(this.opened).hasValue(1);
		}
	}

	@Test
	void aProbeFindsAConnectionThatIsDead(RedisServer redis) throws Exception {
		try (Cable cable = new Cable(redis);
				RedisTransport transport = Applications.connect(Applications.at("127.0.0.1", cable.port()),
						Duration.ofMillis(300), List.of());
				Inbox inbox = open(transport)) {
			cable.cutPresentConnections();
			inbox.probe();
			Awaitility.await().until(() -> this.opened.get() == 2 && inbox.isOpen());
		}
	}

	private Inbox open(RedisTransport transport) {
		Inbox inbox = transport.inbox("inbox", this.messages::add, this.opened::incrementAndGet);
		Awaitility.await().until(() -> this.opened.get() == 1);
		return inbox;
	}

}
