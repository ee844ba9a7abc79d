package io.github.lockboot.observation;

import java.time.Duration;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;

/**
 * One call for a lock, and its hold, under observation. Made on the caller's thread; told
 * by any thread, one after the other.
 */
final class ObservedCall implements LockListener {

	private final ObservationRegistry registry;

	private final @Nullable Observation parent;

	private final Observation wait;

	private volatile Observation hold = Observation.NOOP;

	ObservedCall(ObservationRegistry registry, LockRequest request) {
		this.registry = registry;
		this.parent = registry.getCurrentObservation();
		this.wait = start(LockObservation.WAIT, request);
	}

	private Observation start(LockObservation kind, LockRequest request) {
		Observation observation = kind.observation(this.registry)
			.contextualName(kind.getContextualName() + " " + LockGroup.of(request))
			.lowCardinalityKeyValue(LockTag.NAME.withValue(LockGroup.of(request)))
			.highCardinalityKeyValue(LockTag.LOCK.withValue(request.name()));
		if (this.parent != null) {
			observation.parentObservation(this.parent);
		}
		return observation.start();
	}

	@Override
	public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
		end(this.wait, LockOutcome.ACQUIRED.tag());
		this.hold = start(LockObservation.HOLD, request);
	}

	@Override
	public void onNotAcquired(LockRequest request, LockException reason, Duration waited) {
		LockOutcome outcome = LockOutcome.of(reason);
		if (outcome != LockOutcome.BUSY) {
			this.wait.error(reason);
		}
		end(this.wait, outcome.tag());
	}

	@Override
	public void onLost(LockRequest request, LockHandle handle, LockLostException reason) {
		this.hold.error(reason);
		end(this.hold, "lost");
	}

	@Override
	public void onReleased(LockRequest request, LockHandle handle, Duration held) {
		end(this.hold, "released");
	}

	private static void end(Observation observation, String outcome) {
		observation.lowCardinalityKeyValue(LockTag.OUTCOME.withValue(outcome)).stop();
	}

}
