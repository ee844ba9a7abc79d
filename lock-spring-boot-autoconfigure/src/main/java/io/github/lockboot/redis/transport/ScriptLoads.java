package io.github.lockboot.redis.transport;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Lets one caller at a time load the scripts on a server, for all who need them.
 * Thread-safe.
 */
final class ScriptLoads {

	private final Map<String, CompletableFuture<Void>> underWay = new ConcurrentHashMap<>();

	/**
	 * Load the scripts, or join who does.
	 * @param server name of the server
	 * @param load loads all scripts
	 * @return completed when they are loaded; fails if they can't be
	 */
	CompletableFuture<Void> join(String server, Supplier<CompletableFuture<Void>> load) {
		CompletableFuture<Void> own = new CompletableFuture<>();
		CompletableFuture<Void> present = this.underWay.putIfAbsent(server, own);
		if (present != null) {
			return present;
		}
		load.get().whenComplete((done, failure) -> {
			this.underWay.remove(server);
			if (failure != null) {
				own.completeExceptionally(failure);
			}
			else {
				own.complete(null);
			}
		});
		return own;
	}

}
