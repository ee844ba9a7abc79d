package io.github.lockboot.redis.transport;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The inbox of the locks: one channel, or one at each master of a cluster.
 */
final class TextInbox implements Inbox {

	private final Subscriptions subscriptions;

	TextInbox(Subscriptions subscriptions) {
		this.subscriptions = subscriptions;
	}

	@Override
	public boolean isOpen() {
		return this.subscriptions.isAnyOpen();
	}

	@Override
	public boolean isOpen(String key) {
		return this.subscriptions.isOpenAt(key);
	}

	@Override
	public void probe() {
		this.subscriptions.probe();
	}

	@Override
	public void close() {
		this.subscriptions.close();
	}

	/**
	 * Passes on what happens to it.
	 *
	 * @param onMessage told each message
	 * @param onOpen told each time that a subscription stands anew
	 * @param warned whether a refusal was logged
	 */
	record Listener(Consumer<String> onMessage, Runnable onOpen,
			AtomicBoolean warned) implements ChannelListener<String> {

		private static final Log logger = LogFactory.getLog(TextInbox.class);

		Listener(Consumer<String> onMessage, Runnable onOpen) {
			this(onMessage, onOpen, new AtomicBoolean());
		}

		@Override
		public void message(String channel, String message) {
			if (!message.isEmpty()) { // else the inbox was only probed
				this.onMessage.accept(message);
			}
		}

		@Override
		public void opened(String channel) {
			this.onOpen.run();
		}

		@Override
		public void refused(String channel, Throwable failure) {
			if (this.warned.compareAndSet(false, true)) {
				logger.warn("Redis does not let the locks subscribe to channel '" + channel
						+ "'; waiters poll for their locks instead of being woken. Give the user the right to subscribe to"
						+ " it, see Rights in docs/topologies.md: " + failure.getMessage());
			}
		}

	}

}
