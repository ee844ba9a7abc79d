package io.github.lockboot.metrics;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;

/**
 * Observes each wait for a lock and each hold. Both are children of the observation on
 * the caller's thread. Neither becomes the current observation of a thread, because
 * another thread may release the lock. Thread-safe.
 */
@Internal
public record LockObservations(ObservationRegistry registry) implements LockListener {

	@Override
	public LockListener onRequested(LockRequest request) {
		return this.registry.isNoop() ? this : new ObservedCall(this.registry, request);
	}

	/**
	 * Observes one call for a lock and its hold. An instance is created on the caller's
	 * thread; the events may arrive on any thread.
	 */
	private static final class ObservedCall implements LockListener {

		private final ObservationRegistry registry;

		private final @Nullable Observation parent;

		private final Observation wait;

		private final AtomicReference<Observation> hold = new AtomicReference<>(Observation.NOOP);

		ObservedCall(ObservationRegistry registry, LockRequest request) {
			this.registry = registry;
			this.parent = registry.getCurrentObservation();
			this.wait = start("lock.wait", "wait for lock", request);
		}

		/**
		 * Start an observation. Applications derive meters from observations, so the
		 * names must differ from those of meters.
		 */
		private Observation start(String name, String contextualName, LockRequest request) {
			String group = LockMetrics.group(request);
			Observation observation = Observation.createNotStarted(name, this.registry)
				.contextualName(contextualName + " " + group)
				.lowCardinalityKeyValue("name", group)
				.highCardinalityKeyValue("lock", request.name());
			if (this.parent != null) {
				observation.parentObservation(this.parent);
			}
			return observation.start();
		}

		@Override
		public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
			end(this.wait, LockOutcome.ACQUIRED.tag());
			this.hold.set(start("lock.held", "hold lock", request));
		}

		@Override
		public void onNotAcquired(LockRequest request, LockException reason, Duration waited) {
			if (!(reason instanceof LockNotAcquiredException)) {
				this.wait.error(reason);
			}
			end(this.wait, LockOutcome.of(request, reason).tag());
		}

		@Override
		public void onLost(LockRequest request, LockHandle handle, LockLostException reason) {
			Observation hold = endedHold();
			hold.error(reason);
			end(hold, "lost");
		}

		@Override
		public void onReleased(LockRequest request, LockHandle handle, Duration held) {
			end(endedHold(), "released");
		}

		/**
		 * End the observation of the hold once. A released hold may be reported as lost,
		 * too.
		 */
		private Observation endedHold() {
			return this.hold.getAndSet(Observation.NOOP);
		}

		private static void end(Observation observation, String outcome) {
			observation.lowCardinalityKeyValue("outcome", outcome).stop();
		}

	}

}
