package io.github.lockboot.simulation;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockRequest;

/** One call of a user. */
final class Call {

	final Jvm jvm;

	final Decision decision;

	final int number;

	@Nullable LockRequest request;

	long beganNanos;

	boolean answered;

	boolean probe;

	Call(Jvm jvm, Decision decision, int number) {
		this.jvm = jvm;
		this.decision = decision;
		this.number = number;
	}

	String lock() {
		return "lock" + this.decision.lock();
	}

}
