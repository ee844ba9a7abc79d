package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.MonotonicClock;

/**
 * A {@link Breaker} for each server, so that one that fails stops nobody from asking the
 * others. Thread-safe.
 */
final class Breakers {

	private final Map<String, Breaker> byServer = new ConcurrentHashMap<>();

	private final MonotonicClock clock;

	private final Duration pause;

	/** No breaker is left of any but these. */
	private volatile @Nullable Set<String> present;

	Breakers(MonotonicClock clock, Duration pause) {
		this.clock = clock;
		this.pause = pause;
	}

	/** Return the breaker of a server, whose name is empty while none is known. */
	Breaker of(String server) {
		Breaker known = this.byServer.get(server);
		return (known != null) ? known : Objects
			.requireNonNull(this.byServer.computeIfAbsent(server, (name) -> new Breaker(this.clock, this.pause)));
	}

	/**
	 * Forget servers that are gone and will never answer. Commands still under way to
	 * them fail together, which is one failure and opens no breaker.
	 * @param server one that has just answered
	 * @param servers all servers, the same object until they change
	 * @return for each that is forgotten, whether its breaker was open
	 */
	List<Boolean> retireOthers(String server, Set<String> servers) {
		if (servers == this.present) {
			return List.of();
		}
		this.present = servers;
		return this.byServer.keySet()
			.stream()
			.filter((name) -> !name.equals(server) && !servers.contains(name))
			.map(this.byServer::remove)
			.filter(Objects::nonNull)
			.map(Breaker::succeeded)
			.toList();
	}

}
