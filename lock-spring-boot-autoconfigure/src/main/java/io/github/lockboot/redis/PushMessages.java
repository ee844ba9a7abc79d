package io.github.lockboot.redis;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.engine.Attempt;
import io.github.lockboot.engine.LockPushes;

/**
 * Reads what the scripts publish to this JVM.
 */
final class PushMessages {

	private static final Log logger = LogFactory.getLog(PushMessages.class);

	private final LockKeys keys;

	private final LockPushes pushes;

	PushMessages(LockKeys keys, LockPushes pushes) {
		this.keys = keys;
		this.pushes = pushes;
	}

	void read(String message) {
		try {
			String[] words = message.split(" ", 8);
			switch (words[0]) {
				case "grant" -> this.pushes.granted(grant(words));
				case "queued" -> this.pushes.queuedBehind(words[1]);
				case "taken" -> this.pushes.taken(words[1]);
				default -> logger.debug("Message of another version ignored: " + message);
			}
		}
		catch (RuntimeException ex) {
			logger.warn("Message '" + message + "' could not be read; waiters will ask again by themselves", ex);
		}
	}

	private LockPushes.Grant grant(String[] words) {
		Attempt attempt = new Attempt(this.keys.lock(words[7]), words[1], Long.parseLong(words[5]), 1);
		return new LockPushes.Grant(attempt, Long.parseLong(words[2]), Long.parseLong(words[3]),
				Long.parseLong(words[4]), Long.parseLong(words[6]));
	}

}
