package io.github.lockboot.metrics;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.micrometer.core.instrument.MeterRegistry;

import io.github.lockboot.Internal;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;

/**
 * Feeds the meters of locks. Those of a group are registered, all of them, when its first
 * lock is asked for, and looked up by one map access from then on. Thread-safe.
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
		GroupMeters meters = this.groups.get(group);
		if (meters == null) {
			meters = this.groups.computeIfAbsent(group, (name) -> new GroupMeters(this.registry, name));
		}
		return meters.onRequested(request);
	}

	/** Locks without a group may have any number of names. */
	static String group(LockRequest request) {
		return (request.group() != null) ? request.group() : "none";
	}

}
