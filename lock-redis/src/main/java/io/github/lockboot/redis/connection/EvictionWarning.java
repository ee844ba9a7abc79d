package io.github.lockboot.redis.connection;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.Internal;

/**
 * Warns about a Redis whose eviction policy removes keys that must not be lost. Nothing
 * is logged if the user has no permission for {@code INFO}.
 */
@Internal
public final class EvictionWarning {

	private static final Log logger = LogFactory.getLog(EvictionWarning.class);

	private static final String LIMIT = "\nmaxmemory:";

	private static final Pattern EVICTING = Pattern.compile("(?m)^maxmemory_policy:((?:allkeys|volatile)-\\w+)");

	private final Predicate<String> harmful;

	private final String consequence;

	private final AtomicReference<String> warned = new AtomicReference<>("");

	private volatile CompletableFuture<Void> answers = CompletableFuture.completedFuture(null);

	/**
	 * Create a warning.
	 * @param harmful whether a policy that evicts keys does harm
	 * @param consequence the effect of a harmful policy, and the solution
	 */
	public EvictionWarning(Predicate<String> harmful, String consequence) {
		this.harmful = harmful;
		this.consequence = consequence;
	}

	/**
	 * Check the policy of all servers in the background, unless a check is in progress.
	 * Each policy is logged once.
	 */
	public void check(RedisConnection<?> connection) {
		if (this.answers.isDone()) {
			this.answers = CompletableFuture.allOf(connection.memoryInfo()
				.stream()
				.map((reply) -> reply.thenAccept(this::read))
				.toArray(CompletableFuture[]::new));
		}
	}

	private void read(String info) {
		int limit = info.indexOf(LIMIT);
		if (limit < 0 || info.startsWith("0", limit + LIMIT.length())) {
			return; // the usual case, without a search by regular expressions
		}
		Matcher policy = EVICTING.matcher(info);
		if (policy.find() && this.harmful.test(policy.group(1))
				&& !policy.group(1).equals(this.warned.getAndSet(policy.group(1)))) {
			logger.warn("Redis evicts keys when its memory is full, by 'maxmemory-policy " + policy.group(1) + "': "
					+ this.consequence);
		}
	}

}
