package io.github.lockboot.engine;

import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * What a lane and its tenure change under. Every transition answers with the step to take
 * after it, so that no store is called and nobody is told anything under the mutex.
 */
final class StepMutex {

	/** The step after a transition that needs none. */
	static final Runnable NOTHING = () -> {
	};

	private final ReentrantLock mutex = new ReentrantLock();

	/**
	 * Change state, and take the step that follows.
	 * @param transition runs under the mutex; what it returns runs after it
	 * @return whether it returned a step
	 */
	boolean transit(Transition transition) {
		Runnable step = change(transition);
		if (step != null) {
			step.run();
		}
		return step != null;
	}

	private @Nullable Runnable change(Transition transition) {
		this.mutex.lock();
		try {
			return transition.run();
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** A change of state that answers with the step to take once the mutex is free. */
	interface Transition {

		@Nullable Runnable run();

	}

}
