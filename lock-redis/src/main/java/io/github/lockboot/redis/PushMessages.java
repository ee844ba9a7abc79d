package io.github.lockboot.redis;

import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.redis.connection.Subscription;

/**
 * Reads the messages that scripts publish to this JVM.
 */
final class PushMessages implements Subscription.Listener<String> {

	private static final Log logger = LogFactory.getLog(PushMessages.class);

	private final LockKeys keys;

	private final LockPushes pushes;

	private final boolean confirmed;

	private final Runnable onOpen;

	private final AtomicBoolean warned = new AtomicBoolean();

	/**
	 * Create a reader.
	 * @param confirmed whether a grant counts at once. Otherwise the grant is passed on
	 * without any time left: the new owner has to acquire the lock again, and this
	 * acquisition waits for the replicas
	 * @param onOpen called when a channel has opened or reopened
	 */
	PushMessages(LockKeys keys, LockPushes pushes, boolean confirmed, Runnable onOpen) {
		this.keys = keys;
		this.pushes = pushes;
		this.confirmed = confirmed;
		this.onOpen = onOpen;
	}

	@Override
	public void opened(String channel) {
		this.pushes.missed();
		this.onOpen.run();
	}

	/** Let waiters poll from now on, and retain no lock. */
	@Override
	public void closed(String channel) {
		this.pushes.missed();
	}

	@Override
	public void refused(String channel, Throwable failure) {
		if (this.warned.compareAndSet(false, true)) {
			logger.warn("Redis does not permit the locks to subscribe to channel '" + channel
					+ "'. Waiters poll for their locks instead of being notified. Give the user the right to"
					+ " subscribe to this channel, see"
					+ " https://github.com/lockboot/lock-spring-boot/blob/main/docs/redis.md#rights: "
					+ failure.getMessage());
		}
	}

	@Override
	public void message(String channel, String message) {
		if (message.isEmpty()) {
			return; // a probe
		}
		try {
			String[] words = message.split(" ", 8);
			switch (words[0]) {
				case "grant" -> this.pushes.granted(grant(words));
				case "queued" -> this.pushes.queuedBehind(words[1]);
				case "sooner" -> this.pushes.sooner(words[1], this.keys.lock(message.split(" ", 3)[2]));
				case "taken" -> this.pushes.taken(words[1]);
				default -> logger.debug("Message of another version ignored: " + message);
			}
		}
		catch (RuntimeException ex) {
			logger.warn("Message '" + message + "' could not be read. Waiters retry by themselves", ex);
		}
	}

	private LockPushes.Grant grant(String[] words) {
		long leaseMillis = this.confirmed ? Long.parseLong(words[5]) : 0;
		LockAttempt attempt = new LockAttempt(this.keys.lock(words[7]), words[1], leaseMillis, 1);
		return new LockPushes.Grant(attempt, Long.parseLong(words[2]), Long.parseLong(words[3]),
				Long.parseLong(words[4]), RedisLockStore.queued(Long.parseLong(words[6]), true));
	}

}
