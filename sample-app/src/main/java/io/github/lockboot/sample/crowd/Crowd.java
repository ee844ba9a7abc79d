package io.github.lockboot.sample.crowd;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.stereotype.Component;

/**
 * Many callers that all come to this instance at once, on the threads of the application.
 */
@Component
public class Crowd {

	private final AsyncTaskExecutor threads;

	private final LockWaits lockWaits;

	Crowd(AsyncTaskExecutor applicationTaskExecutor, LockWaits lockWaits) {
		this.threads = applicationTaskExecutor;
		this.lockWaits = lockWaits;
	}

	/**
	 * Send callers on an errand and wait for all of them.
	 * @param callers how many
	 * @param run id of the run, part of the names of its locks
	 * @param errand what each does; returns false if it is turned away
	 * @return how they fared
	 */
	public Tally send(int callers, String run, Callable<Boolean> errand) {
		this.lockWaits.begin(run);
		List<Future<Boolean>> errands = new ArrayList<>();
		for (int i = 0; i < callers; i++) {
			errands.add(this.threads.submit(errand));
		}
		return count(run, errands);
	}

	private Tally count(String run, List<Future<Boolean>> errands) {
		int succeeded = 0;
		int failed = 0;
		String error = null;
		for (Future<Boolean> errand : errands) {
			try {
				succeeded += errand.get() ? 1 : 0;
			}
			catch (ExecutionException ex) {
				failed++;
				error = (error != null) ? error : firstLine(NestedExceptionUtils.getMostSpecificCause(ex));
			}
			catch (InterruptedException ex) {
				errands.forEach((running) -> running.cancel(true));
				Thread.currentThread().interrupt();
				return Tally.lost(errands.size(), "Interrupted");
			}
		}
		return new Tally(succeeded, errands.size() - succeeded - failed, failed, this.lockWaits.end(run), error);
	}

	private static String firstLine(Throwable error) {
		return error.toString().lines().findFirst().orElseThrow();
	}

}
