package io.github.lockboot.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * The threads that a test starts.
 */
public class StartedThreads {

	private final List<Thread> threads = new ArrayList<>();

	/** Start a thread, which fails if its call does. */
	public final Thread start(Callable<?> call) {
		Thread thread = new Thread(() -> {
			try {
				call.call();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
		this.threads.add(thread);
		thread.start();
		return thread;
	}

	/** Wait until all have ended. Fray fails if they never do. */
	public final void awaitEnds() throws InterruptedException {
		for (Thread thread : this.threads) {
			thread.join();
		}
	}

}
