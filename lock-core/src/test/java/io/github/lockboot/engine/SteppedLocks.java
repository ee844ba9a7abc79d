package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks with a stepped clock and a store whose replies the test sets.
 */
abstract class SteppedLocks {

	final SteppedClock clock = new SteppedClock();

	final FakeStore store = new FakeStore();

	final List<String> events = new CopyOnWriteArrayList<>();

	final LockTemplate locks = template(listener());

	@AfterEach
	void close() {
		this.locks.close();
	}

	/** Return a listener, which may add events. */
	LockListener listener() {
		return new LockListener() {
		};
	}

	final LockTemplate template(LockListener listener) {
		return new LockTemplate(this.store, this.clock, LockDefaults.defaults(), List.of(listener));
	}

	final void awaitEvents(String... events) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(this.events).containsExactly(events));
	}

}
