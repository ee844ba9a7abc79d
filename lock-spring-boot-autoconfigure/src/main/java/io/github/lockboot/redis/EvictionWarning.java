package io.github.lockboot.redis;

import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.redis.transport.RedisTransport;

/**
 * Warns of a Redis that evicts keys when its memory is full: it may evict a lock that is
 * held, and another caller gets it too. A user who may not ask for {@code INFO} is not
 * warned.
 */
final class EvictionWarning {

	private static final Log logger = LogFactory.getLog(EvictionWarning.class);

	private static final Pattern LIMIT = Pattern.compile("(?m)^maxmemory:[1-9]");

	private static final Pattern EVICTING = Pattern.compile("(?m)^maxmemory_policy:((?:allkeys|volatile)-\\w+)");

	private final RedisTransport transport;

	private final AtomicReference<String> warned = new AtomicReference<>("");

	EvictionWarning(RedisTransport transport) {
		this.transport = transport;
	}

	/**
	 * Ask the servers for their policy, without waiting for the answer. Each policy is
	 * one warning.
	 */
	void look() {
		this.transport.memoryInfo().forEach((reply) -> reply.thenAccept(this::read));
	}

	private void read(String info) {
		Matcher policy = EVICTING.matcher(info);
		if (LIMIT.matcher(info).find() && policy.find()
				&& !policy.group(1).equals(this.warned.getAndSet(policy.group(1)))) {
			logger.warn("Redis evicts keys when its memory is full, by 'maxmemory-policy " + policy.group(1)
					+ "': it may evict a lock that is held, and another caller gets it too. Set 'maxmemory-policy noeviction',"
					+ " or give the locks a Redis of their own");
		}
	}

}
