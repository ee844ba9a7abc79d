package io.github.lockboot.engine;

import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * Lets callers in to wait for locks, or not: once the application stops only those that
 * hold a lock already and need another one to come to their end, at last nobody.
 * Thread-safe.
 */
final class Gate {

	private static final Outcome CLOSED = new Outcome.Stopping("the locks are closed");

	private static final Outcome STOPPING = new Outcome.Stopping("the application stops, and gives out no more locks");

	private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

	private enum State {

		OPEN, SECTIONS_ONLY, STOPPED, CLOSED

	}

	boolean isOpen() {
		return this.state.get() == State.OPEN;
	}

	/**
	 * Let everybody in, unless it was closed for good.
	 */
	void open() {
		changeTo(State.OPEN);
	}

	/**
	 * Let in only who holds a lock by a section of its thread.
	 */
	void admitSectionsOnly() {
		changeTo(State.SECTIONS_ONLY);
	}

	/**
	 * Let nobody in.
	 */
	void stop() {
		changeTo(State.STOPPED);
	}

	/**
	 * Let nobody in, for good.
	 */
	void close() {
		changeTo(State.CLOSED);
	}

	/**
	 * Return what a caller is told that may not come in, or not stay.
	 * @param waiter the caller
	 * @return why not; {@code null} if it may
	 */
	@Nullable Outcome refusal(Waiter waiter) {
		return switch (this.state.get()) {
			case OPEN -> null;
			case SECTIONS_ONLY -> waiter.call().ofSection() ? null : STOPPING;
			case STOPPED -> STOPPING;
			case CLOSED -> CLOSED;
		};
	}

	private void changeTo(State next) {
		this.state.updateAndGet((state) -> (state == State.CLOSED) ? state : next);
	}

}
