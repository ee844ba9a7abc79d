package io.github.lockboot.metrics;

import io.micrometer.observation.ObservationRegistry;

import io.github.lockboot.Internal;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;

/**
 * Observes each wait for a lock and each hold. Both are children of what is observed on
 * the caller's thread when it asks for the lock; none is ever the present one of a
 * thread, since a lock may be given back by another. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class LockObservations implements LockListener {

	private final ObservationRegistry registry;

	/**
	 * Create a listener.
	 * @param registry who is told of the observations
	 */
	public LockObservations(ObservationRegistry registry) {
		this.registry = registry;
	}

	@Override
	public LockListener onRequested(LockRequest request) {
		return this.registry.isNoop() ? this : new ObservedCall(this.registry, request);
	}

}
