package io.github.lockboot.simulation;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;

/** A holder whose lease runs out was warned of it, unless its JVM did not run. */
final class Warnings implements LockListener {

	private final World world;

	private final Jvm jvm;

	private final Duration lease;

	private final Set<LockHandle> warned = Collections.newSetFromMap(new IdentityHashMap<>());

	Warnings(World world, Jvm jvm, Duration lease) {
		this.world = world;
		this.jvm = jvm;
		this.lease = lease;
	}

	@Override
	public void onAtRisk(LockRequest request, LockHandle handle, String reason, Duration left) {
		this.warned.add(handle);
	}

	@Override
	public void onLost(LockRequest request, LockHandle handle, LockLostException reason) {
		boolean inTime = reason.held().compareTo(this.lease.dividedBy(2)) > 0
				&& this.jvm.machine().hasRunSince(this.jvm.nanoTime() - this.lease.toNanos());
		if (inTime && String.valueOf(reason.getMessage()).contains("ran out") && !this.warned.contains(handle)) {
			this.world.fail(this.jvm.name() + " was not warned: " + reason.getMessage());
		}
	}

}
