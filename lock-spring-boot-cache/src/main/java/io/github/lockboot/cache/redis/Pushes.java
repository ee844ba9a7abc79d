package io.github.lockboot.cache.redis;

import io.github.lockboot.cache.protocol.CachePushes;

/**
 * Hands what Redis pushes to whom it concerns.
 */
final class Pushes implements CachePushes {

	private final SingleFlights flights;

	private final Epochs epochs;

	private final LocalCaches locals;

	private final CacheEvents events;

	Pushes(SingleFlights flights, Epochs epochs, LocalCaches locals, CacheEvents events) {
		this.flights = flights;
		this.epochs = epochs;
		this.locals = locals;
		this.events = events;
	}

	@Override
	public void loaded(String attempt, byte[] entry) {
		this.flights.loaded(attempt, entry);
	}

	@Override
	public void ended(String attempt, boolean stored) {
		this.flights.ended(attempt);
	}

	@Override
	public void changed(String data) {
		this.locals.drop(data);
	}

	@Override
	public void cleared(String cache, long epoch) {
		this.epochs.learn(cache, epoch);
	}

	@Override
	public void missing() {
		this.flights.askAgain();
		this.locals.doubtAll();
	}

	@Override
	public void missed() {
		this.flights.askAgain();
		this.locals.dropAll();
	}

	@Override
	public void missedClears() {
		this.epochs.doubt();
	}

	@Override
	public void paused() {
		this.locals.logOutage("Redis fails and is not asked for a while; meanwhile these caches serve");
		this.events.tellPaused();
	}

	@Override
	public void resumed() {
		this.locals.logOutage("Redis answers again; these caches no longer serve");
		this.events.tellResumed();
	}

}
