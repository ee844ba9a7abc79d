package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.awaitility.Awaitility;

import io.github.lockboot.redis.transport.Inbox;
import io.github.lockboot.redis.transport.RedisTransport;

/**
 * A JVM as the scripts see it: a subscriber of its channel, which keeps what it is told.
 */
final class ListeningJvm implements AutoCloseable {

	private final Queue<String> messages = new ConcurrentLinkedQueue<>();

	private final Inbox inbox;

	ListeningJvm(RedisTransport transport, String channel) {
		this.inbox = transport.inbox(channel, this.messages::add, () -> {
		});
		Awaitility.await().pollInterval(Duration.ofMillis(2)).until(this.inbox::isOpen);
	}

	/** What it was told so far, once that are so many messages. */
	List<String> messages(int count) {
		Awaitility.await().pollInterval(Duration.ofMillis(2)).until(() -> this.messages.size() >= count);
		return List.copyOf(this.messages);
	}

	@Override
	public void close() {
		this.inbox.close();
	}

}
