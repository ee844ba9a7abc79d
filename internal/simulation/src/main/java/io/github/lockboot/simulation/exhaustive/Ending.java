package io.github.lockboot.simulation.exhaustive;

import io.github.lockboot.simulation.exhaustive.Attempt.Phase;

/**
 * Continues a history without faults. All requests then arrive at once, holders release
 * the lock, and those that wait repeat their requests in each third of a lease.
 */
final class Ending {

	/** A lease, two claim windows, and as long as a dead waiter counts. */
	private static final int MOST_TICKS = 10;

	/** As long as the queue of a lock is kept. */
	private static final int MEMORY_OF_QUEUE = 6;

	private final Scope scope;

	private final Steps steps;

	private final Calls calls;

	Ending(Scope scope, Steps steps, Calls calls) {
		this.scope = scope;
		this.steps = steps;
		this.calls = calls;
	}

	/**
	 * Checks an inspection, and that all get the lock in time, and leave nothing but the
	 * last token.
	 */
	void check(State last) {
		this.steps.inspect(last);
		State state = last.spent(last.faults(), last.failOvers(), last.forces());
		for (int tick = 0; !isOver(state); tick++) {
			if (tick == MOST_TICKS) {
				throw new Violation("An attempt waits for ever");
			}
			// twice, so that a lock is also handed over at the time of its acquisition
			state = this.steps.later(settled(settled(state)));
		}
		state = settled(state);
		for (int tick = 0; tick < MEMORY_OF_QUEUE; tick++) {
			state = this.steps.later(state);
		}
		String left = this.calls.canonical(state);
		if (left.lines().anyMatch((line) -> !line.contains(":f "))) {
			throw new Violation("Keys are left: " + left.replace('\n', ' '));
		}
	}

	private static boolean isOver(State state) {
		return state.attempts().stream().allMatch((attempt) -> attempt.phase() == Phase.ENDED);
	}

	private State settled(State before) {
		State state = delivered(before);
		for (int i = 0; i < state.attempts().size(); i++) {
			if (this.scope.jvm(i) != state.crashed()) {
				state = delivered(continued(state, i));
			}
		}
		return state;
	}

	private State continued(State state, int i) {
		Attempt attempt = state.attempts().get(i);
		return switch (attempt.phase()) {
			case NEW -> this.steps.requested(state, i, "tail");
			case REQUESTED -> this.steps.repeated(state, i);
			case HELD -> this.steps.released(state, i, attempt.token());
			case ENDED -> state;
		};
	}

	private State delivered(State before) {
		State state = before;
		while (!state.packets().isEmpty()) {
			Packet packet = state.packets().get(0);
			state = this.steps.delivered(state.minus(packet), packet);
		}
		return state;
	}

}
