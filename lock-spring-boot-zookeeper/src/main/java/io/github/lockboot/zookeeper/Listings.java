package io.github.lockboot.zookeeper;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockStore;

/**
 * The listings of the nodes below a path that are under way. All callers during a request
 * share the next request, so that thousands of waiters do not each list a queue of
 * thousands. Thread-safe.
 */
final class Listings {

	private final Function<String, CompletableFuture<QueueNodes>> request;

	/** The listings that are under way, by path. */
	private final Map<String, Listing> underWay = new ConcurrentHashMap<>();

	Listings(Function<String, CompletableFuture<QueueNodes>> request) {
		this.request = request;
	}

	/** Return the nodes below a path as they are after this call. */
	CompletableFuture<QueueNodes> list(String path) {
		Listing mine = new Listing(new CompletableFuture<>(), null);
		Listing underWay = this.underWay.merge(path, mine,
				(first, later) -> (first.next() != null) ? first : new Listing(first.reply(), later));
		if (underWay == mine) {
			send(path, mine);
		}
		return ((underWay.next() != null) ? underWay.next() : mine).reply();
	}

	private void send(String path, Listing listing) {
		LockStore.call(() -> this.request.apply(path)).whenComplete((nodes, failure) -> {
			Listing next = this.underWay.computeIfPresent(path, (key, present) -> present.next());
			if (next != null) {
				send(path, next);
			}
			StageFailure.pass(nodes, failure, listing.reply());
		});
	}

	/**
	 * One listing.
	 *
	 * @param next the listing that follows, for callers during this one
	 */
	private record Listing(CompletableFuture<QueueNodes> reply, @Nullable Listing next) {

	}

}
