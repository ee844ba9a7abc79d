package io.github.lockboot.metrics;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.micrometer.core.instrument.MeterRegistry;

import io.github.lockboot.Internal;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;

/**
 * Updates the meters of locks. The meters of a group are registered with the first
 * request for one of its locks. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class LockMetrics implements LockListener {

	private final MeterRegistry registry;

	private final ConcurrentMap<String, GroupMeters> groups = new ConcurrentHashMap<>();

	/**
	 * Create a listener.
	 * @param registry where the meters are registered
	 */
	public LockMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public LockListener onRequested(LockRequest request) {
		String group = group(request);
		GroupMeters meters = this.groups.get(group); // cheaper than computeIfAbsent
		if (meters == null) {
			meters = this.groups.computeIfAbsent(group, (name) -> new GroupMeters(this.registry, name));
		}
		return meters.onRequested(request);
	}

	/** Uses no name of a lock, because the number of names is unlimited. */
	static String group(LockRequest request) {
		return (request.group() != null) ? request.group() : "none";
	}

}
