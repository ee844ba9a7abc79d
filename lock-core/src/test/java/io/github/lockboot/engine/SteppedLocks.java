package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks with a stepped clock and a store whose replies the test sets.
 */
abstract class SteppedLocks {

	final SteppedClock clock = new SteppedClock();

	final FakeStore store = new FakeStore();

	final List<String> events = new CopyOnWriteArrayList<>();

	@AutoClose
	final LockTemplate locks = template(listener());

	/** Return a listener, which may add events. */
	LockListener listener() {
		return new LockListener() {
		};
	}

	final LockTemplate template(LockListener listener) {
		return new LockTemplate(this.store, this.clock, LockDefaults.defaults(), List.of(listener));
	}

	final void awaitEvents(String... events) {
		Awaitility.await().untilAsserted(() -> assertThat(this.events).containsExactly(events));
	}

	/** Adds an event for each notification, with the lock. */
	class Recorder implements LockListener {

		@Override
		public LockListener onRequested(LockRequest request) {
			note("requested", request);
			return this;
		}

		@Override
		public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
			note("acquired", request);
		}

		@Override
		public void onNotAcquired(LockRequest request, LockException reason, Duration waited) {
			note(reason.getClass().getSimpleName(), request);
		}

		@Override
		public void onRenewed(LockRequest request, LockHandle handle, Duration left) {
			SteppedLocks.this.events.add("renewed " + request.name() + " with " + left.toSeconds() + " s left");
		}

		@Override
		public void onLost(LockRequest request, LockHandle handle, LockLostException reason) {
			note("lost", request);
		}

		@Override
		public void onReleased(LockRequest request, LockHandle handle, Duration held) {
			note("released", request);
		}

		private void note(String event, LockRequest request) {
			SteppedLocks.this.events.add(event + " " + request.name());
		}

	}

}
