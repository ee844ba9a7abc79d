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
 * Many concurrent callers of this instance, on the threads of the application.
 */
@Component
public class Crowd {

	private final AsyncTaskExecutor threads;

	private final LockWaits lockWaits;

	private final Retries retries;

	Crowd(AsyncTaskExecutor applicationTaskExecutor, LockWaits lockWaits, Retries retries) {
		this.threads = applicationTaskExecutor;
		this.lockWaits = lockWaits;
		this.retries = retries;
	}

	/**
	 * Run a call many times at once and wait for all of them.
	 * @param callers the number of callers
	 * @param run id of the run, part of the names of its locks
	 * @param call the call; returns false if it is refused
	 * @return their results
	 */
	public Tally send(int callers, String run, Callable<Boolean> call) {
		this.lockWaits.begin(run);
		this.retries.begin(run);
		List<Future<Boolean>> calls = new ArrayList<>();
		for (int i = 0; i < callers; i++) {
			calls.add(this.threads.submit(call));
		}
		return count(run, calls);
	}

	private Tally count(String run, List<Future<Boolean>> calls) {
		int succeeded = 0;
		int failed = 0;
		String error = null;
		for (Future<Boolean> call : calls) {
			try {
				succeeded += call.get() ? 1 : 0;
			}
			catch (ExecutionException ex) {
				failed++;
				error = (error != null) ? error : firstLine(NestedExceptionUtils.getMostSpecificCause(ex));
			}
			catch (InterruptedException ex) {
				calls.forEach((running) -> running.cancel(true));
				Thread.currentThread().interrupt();
				return Tally.lost(calls.size(), "Interrupted");
			}
		}
		return new Tally(succeeded, calls.size() - succeeded - failed, failed, this.retries.end(run),
				this.lockWaits.end(run), error);
	}

	private static String firstLine(Throwable error) {
		return error.toString().lines().findFirst().orElseThrow();
	}

}
