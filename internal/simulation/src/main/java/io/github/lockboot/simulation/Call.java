package io.github.lockboot.simulation;

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

	/** What the caller does next. */
	Runnable next = () -> {
	};

	/** Whether its caller always requests the lock. */
	boolean competes;

	Call(Jvm jvm, Decision decision, int number, LockRequest request, boolean probe) {
		this.jvm = jvm;
		this.decision = decision;
		this.number = number;
		this.request = request;
		this.probe = probe;
	}

	@Override
	public String toString() {
		return this.jvm.name() + " (call " + this.number + ")";
	}

}
