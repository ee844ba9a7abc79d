package io.github.lockboot.redis.redlock;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * By which address each server was reached first, so that nobody votes twice.
 * Thread-safe.
 */
final class DistinctServers {

	private static final Log logger = LogFactory.getLog(DistinctServers.class);

	private final Map<String, String> addresses = new ConcurrentHashMap<>();

	private final AtomicBoolean unknown = new AtomicBoolean();

	/**
	 * Let a server vote, for the one member that has reached it.
	 * @param address address of the member
	 * @param server what the server calls itself, or {@code null} if it does not tell;
	 * the first time is a warning
	 * @throws DuplicateServerException if it was reached by another address already
	 */
	void admit(String address, @Nullable String server) {
		if (server == null) {
			if (this.unknown.compareAndSet(false, true)) {
				logger.warn("Redlock can't find out whether " + address + " is a server of its own: a server with two"
						+ " addresses would vote twice. Give the user the right '+info'");
			}
			return;
		}
		String other = this.addresses.putIfAbsent(server, address);
		if (other != null) {
			throw new DuplicateServerException(other, address);
		}
	}

}
