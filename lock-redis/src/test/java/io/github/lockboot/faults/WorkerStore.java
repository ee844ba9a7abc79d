package io.github.lockboot.faults;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.support.SpringFactoriesLoader;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockListener;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockTemplate;

/**
 * Connects the workers to the store of another module, whose tests name it in
 * {@code META-INF/spring.factories}.
 */
interface WorkerStore {

	/** Return the store of a kind of servers, or {@code null} if the store is Redis. */
	static @Nullable WorkerStore of(Address.Kind kind) {
		return SpringFactoriesLoader.forDefaultResourceLocation(WorkerStore.class.getClassLoader())
			.load(WorkerStore.class)
			.stream()
			.filter((store) -> store.kind() == kind)
			.findFirst()
			.orElse(null);
	}

	/** Return which servers have the store. */
	Address.Kind kind();

	/**
	 * Connect to the servers.
	 * @param clock time and timers
	 * @param listeners notified of events
	 */
	LockTemplate connect(Address address, LockDefaults defaults, MonotonicClock clock, List<LockListener> listeners);

}
