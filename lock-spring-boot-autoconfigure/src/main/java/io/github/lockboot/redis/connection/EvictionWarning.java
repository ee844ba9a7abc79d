package io.github.lockboot.redis.connection;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.Internal;

/**
 * Warns of a Redis that evicts keys when its memory is full, by a policy that takes what
 * is needed. A user who may not ask for {@code INFO} is not warned.
 *
 * @since 1.0.0
 */
@Internal
public final class EvictionWarning {

	private static final Log logger = LogFactory.getLog(EvictionWarning.class);

	private static final Pattern LIMIT = Pattern.compile("(?m)^maxmemory:[1-9]");

	private static final Pattern EVICTING = Pattern.compile("(?m)^maxmemory_policy:((?:allkeys|volatile)-\\w+)");

	private final Supplier<List<CompletableFuture<String>>> memoryInfo;

	private final Predicate<String> harmful;

	private final String harm;

	private final AtomicReference<String> warned = new AtomicReference<>("");

	private volatile CompletableFuture<Void> answers = CompletableFuture.completedFuture(null);

	/**
	 * Create a warning.
	 * @param memoryInfo asks the servers about their memory
	 * @param harmful whether an evicting policy takes what is needed
	 * @param harm what happens then, and the cure
	 */
	public EvictionWarning(Supplier<List<CompletableFuture<String>>> memoryInfo, Predicate<String> harmful,
			String harm) {
		this.memoryInfo = memoryInfo;
		this.harmful = harmful;
		this.harm = harm;
	}

	/**
	 * Ask the servers for their policy, without waiting for the answer, unless they are
	 * being asked. Each policy is one warning.
	 */
	public void look() {
		if (this.answers.isDone()) {
			this.answers = CompletableFuture.allOf(this.memoryInfo.get()
				.stream()
				.map((reply) -> reply.thenAccept(this::read))
				.toArray(CompletableFuture[]::new));
		}
	}

	private void read(String info) {
		Matcher policy = EVICTING.matcher(info);
		if (LIMIT.matcher(info).find() && policy.find() && this.harmful.test(policy.group(1))
				&& !policy.group(1).equals(this.warned.getAndSet(policy.group(1)))) {
			logger.warn("Redis evicts keys when its memory is full, by 'maxmemory-policy " + policy.group(1) + "': "
					+ this.harm);
		}
	}

}
