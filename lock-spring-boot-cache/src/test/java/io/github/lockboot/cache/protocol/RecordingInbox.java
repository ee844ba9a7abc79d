package io.github.lockboot.cache.protocol;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.awaitility.Awaitility;

import io.github.lockboot.redis.connection.RedisConnection;
import io.github.lockboot.redis.connection.Subscription;

/**
 * Represents a JVM for the scripts: a subscriber that records its messages.
 */
final class RecordingInbox implements AutoCloseable, Subscription.Listener<byte[]> {

	private final Queue<String> messages = new ConcurrentLinkedQueue<>();

	private final Subscription channels;

	RecordingInbox(RedisConnection<byte[]> transport, String channel) {
		this.channels = transport.subscribe(this);
		this.channels.add(channel);
		Awaitility.await().until(() -> this.channels.isOpen(channel));
	}

	/** Return the messages so far, after at least a given number has arrived. */
	List<String> messages(int count) {
		Awaitility.await().until(() -> this.messages.size() >= count);
		return List.copyOf(this.messages);
	}

	@Override
	public void message(String channel, byte[] message) {
		this.messages.add(new String(message, StandardCharsets.UTF_8));
	}

	@Override
	public void opened(String channel) {
	}

	@Override
	public void close() {
		this.channels.close();
	}

}
