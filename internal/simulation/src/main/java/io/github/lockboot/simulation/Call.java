package io.github.lockboot.simulation;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;

/** One call of a user. */
final class Call {

	final Jvm jvm;

	final Decision decision;

	final int number;

	final LockRequest request;

	/** Whether the lock has to be free soon. */
	final boolean probe;

	long beganNanos;

	boolean begun;

	boolean answered;

	/** When it released its locks, or was refused. */
	long endedNanos = Long.MAX_VALUE;

	/** What the caller does next. */
	Runnable next = () -> {
	};

	/** What it got, if anything. */
	@Nullable LockHandle handle;

	/** Whether it wants to know of a loss. */
	boolean listens;

	/** Whether it was told of a loss. */
	boolean told;

	/** Whether its caller always requests the lock. */
	boolean competes;

	Call(Jvm jvm, Decision decision, int number, LockRequest request, boolean probe) {
		this.jvm = jvm;
		this.decision = decision;
		this.number = number;
		this.request = request;
		this.probe = probe;
	}

	/** Whether it held a lock or wanted it, and has not ended before a time. */
	boolean mayHold(String lock, long sinceNanos) {
		Duration kept = this.request.minHoldTime();
		return this.begun && this.endedNanos >= sinceNanos - ((kept != null) ? kept.toNanos() : 0)
				&& this.request.names().contains(lock);
	}

	@Override
	public String toString() {
		return name(this.jvm, this.number);
	}

	static String name(Jvm jvm, int number) {
		return jvm.name() + " (call " + number + ")";
	}

}
