package io.github.lockboot.zookeeper;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockStore;

/**
 * The listings of the nodes below a path that are under way. All callers during a request
 * share the next request, so that thousands of waiters do not each list a queue of
 * thousands. Thread-safe.
 */
final class Listings {

	private final Request request;

	/** The listings that are under way, by path. */
	private final Map<String, Listing> underWay = new ConcurrentHashMap<>();

	Listings(Request request) {
		this.request = request;
	}

	/**
	 * Return the nodes below a path as they are after this call.
	 * @param latest whether the server first has to catch up with the leader
	 */
	CompletableFuture<QueueNodes> list(String path, boolean latest) {
		Listing mine = new Listing(new CompletableFuture<>(), latest, null);
		Listing underWay = this.underWay.merge(path, mine, Listing::before);
		if (underWay == mine) {
			send(path, mine);
		}
		return ((underWay.next() != null) ? underWay.next() : mine).reply();
	}

	private void send(String path, Listing listing) {
		LockStore.call(() -> this.request.send(path, listing.latest())).whenComplete((nodes, failure) -> {
			Listing next = this.underWay.computeIfPresent(path, (key, present) -> present.next());
			if (next != null) {
				send(path, next);
			}
			StageFailure.pass(nodes, failure, listing.reply());
		});
	}

	/** Requests the nodes below a path. */
	interface Request {

		CompletableFuture<QueueNodes> send(String path, boolean latest);

	}

	/**
	 * One listing.
	 *
	 * @param next the listing that follows, for callers during this one
	 */
	private record Listing(CompletableFuture<QueueNodes> reply, boolean latest, @Nullable Listing next) {

		Listing before(Listing later) {
			Listing next = (this.next != null) ? new Listing(this.next.reply, this.next.latest || later.latest, null)
					: later;
			return new Listing(this.reply, this.latest, next);
		}

	}

}
