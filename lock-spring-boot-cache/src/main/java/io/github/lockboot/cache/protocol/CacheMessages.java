package io.github.lockboot.cache.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.redis.connection.Subscription;

/**
 * Parses the messages that the scripts publish to this JVM.
 *
 * @param inbox the channel of ends of loads
 * @param clears the channel of clears; any other is that of the changes of a cache
 */
record CacheMessages(String inbox, String clears, CachePushes pushes) implements Subscription.Listener<byte[]> {

	private static final Log logger = LogFactory.getLog(CacheMessages.class);

	@Override
	public void message(String channel, byte[] message) {
		if (message.length == 0) {
			return; // a probe
		}
		try {
			if (channel.equals(this.inbox)) {
				loadEnded(message);
			}
			else if (channel.equals(this.clears)) {
				cleared(text(message));
			}
			else {
				this.pushes.changed(text(message));
			}
		}
		catch (RuntimeException ex) {
			logger.warn("A message on channel '" + channel + "' could not be read and is ignored", ex);
		}
	}

	/** The message is a kind, the attempt, and the entry or nothing. */
	private void loadEnded(byte[] message) {
		int end = 2;
		while (message[end] != ' ') {
			end++;
		}
		String attempt = new String(message, 2, end - 2, StandardCharsets.US_ASCII);
		this.pushes.ended(attempt, (message[0] == 'V') ? Arrays.copyOfRange(message, end + 1, message.length) : null);
	}

	private void cleared(String message) {
		int blank = message.indexOf(' ');
		this.pushes.cleared(message.substring(blank + 1), Long.parseLong(message.substring(0, blank)));
	}

	@Override
	public void opened(String channel) {
		this.pushes.missed(channel.equals(this.clears));
	}

	@Override
	public void closed(String channel) {
		this.pushes.missing();
	}

	@Override
	public void refused(String channel, Throwable failure) {
		logger.debug("Redis rejects the subscription to channel '" + channel + "': " + failure.getMessage());
	}

	private static String text(byte[] message) {
		return new String(message, StandardCharsets.UTF_8);
	}

}
