package io.github.lockboot.simulation;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;

/**
 * What listeners are told: each call is decided once, and each hold ends once. A holder
 * whose lease runs out was warned of it, unless its JVM did not run.
 */
final class Warnings implements LockListener {

	private final World world;

	private final Jvm jvm;

	private final Duration lease;

	private final Set<LockHandle> warned = Collections.newSetFromMap(new IdentityHashMap<>());

	/** The holds that have not ended. */
	private final Set<LockHandle> held = Collections.newSetFromMap(new IdentityHashMap<>());

	private final Set<LockHandle> released = Collections.newSetFromMap(new IdentityHashMap<>());

	/** How many calls wait for their locks. */
	private int undecided;

	Warnings(World world, Jvm jvm, Duration lease) {
		this.world = world;
		this.jvm = jvm;
		this.lease = lease;
	}

	/** Long after all calls. */
	void checkEnded() {
		check(this.undecided == 0 && this.held.isEmpty(), "calls and holds without an end", this.held);
	}

	private void check(boolean told, String what, Object handles) {
		if (!told) {
			this.world.fail(this.jvm.name() + " has told its listeners of " + what + ": " + handles);
		}
	}

	@Override
	public LockListener onRequested(LockRequest request) {
		this.undecided++;
		return this;
	}

	@Override
	public void onNotAcquired(LockRequest request, LockException reason, Duration waited) {
		this.undecided--;
	}

	@Override
	public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
		this.undecided--;
		check(this.held.add(handle), "a hold twice", handle);
	}

	@Override
	public void onReleased(LockRequest request, LockHandle handle, Duration held) {
		check(this.held.remove(handle) && this.released.add(handle), "the release of no hold", handle);
	}

	@Override
	public void onAtRisk(LockRequest request, LockHandle handle, String reason, Duration left) {
		this.warned.add(handle);
		boolean renewed = request.renew() == null && request.maxHoldTime() == null;
		check(!(renewed && this.world.isCalm()), "a risk without a fault", handle + ": " + reason);
	}

	@Override
	public void onLost(LockRequest request, LockHandle handle, LockLostException reason) {
		check(this.held.remove(handle) || this.released.remove(handle), "the loss of no hold", handle);
		boolean inTime = reason.held().compareTo(this.lease.dividedBy(2)) > 0
				&& this.jvm.machine().hasRunSince(this.world.scheduler().nowNanos() - this.lease.toNanos());
		if (inTime && String.valueOf(reason.getMessage()).contains("ran out") && !this.warned.contains(handle)) {
			this.world.fail(this.jvm.name() + " was not warned: " + reason.getMessage());
		}
	}

}
