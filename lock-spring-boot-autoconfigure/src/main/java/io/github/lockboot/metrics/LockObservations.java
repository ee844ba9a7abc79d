package io.github.lockboot.metrics;

import io.micrometer.observation.ObservationRegistry;

import io.github.lockboot.Internal;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;

/**
 * Observes each wait for a lock and each hold. Both are children of the observation on
 * the caller's thread. Neither becomes the current observation of a thread, because
 * another thread may release the lock. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class LockObservations implements LockListener {

	private final ObservationRegistry registry;

	/**
	 * Create a listener.
	 * @param registry the registry for the observations
	 */
	public LockObservations(ObservationRegistry registry) {
		this.registry = registry;
	}

	@Override
	public LockListener onRequested(LockRequest request) {
		return this.registry.isNoop() ? this : new ObservedCall(this.registry, request);
	}

}
