package io.github.lockboot.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.awaitility.Awaitility;

import io.github.lockboot.redis.connection.RedisConnection;
import io.github.lockboot.redis.connection.Subscription;

/**
 * Represents a JVM for the scripts: a subscription to its channel that records the
 * messages.
 */
public final class ListeningJvm<V> implements AutoCloseable, Subscription.Listener<V> {

	private final Queue<String> messages = new ConcurrentLinkedQueue<>();

	private final Subscription subscription;

	public ListeningJvm(RedisConnection<V> connection, String channel) {
		this.subscription = connection.subscribe(this);
		this.subscription.add(channel);
		Awaitility.await().pollInterval(Duration.ofMillis(2)).until(() -> this.subscription.isOpen(channel));
	}

	@Override
	public void message(String channel, V message) {
		String text = (message instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : "" + message;
		this.messages.add(text);
	}

	@Override
	public void opened(String channel) {
	}

	/** Return the messages so far, after at least a given number has arrived. */
	public List<String> messages(int count) {
		Awaitility.await().pollInterval(Duration.ofMillis(2)).until(() -> this.messages.size() >= count);
		return List.copyOf(this.messages);
	}

	@Override
	public void close() {
		this.subscription.close();
	}

}
