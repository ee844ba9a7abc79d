package io.github.lockboot.sample.crowd;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.stereotype.Component;

/**
 * Many concurrent callers of this instance, on the threads of the application.
 */
@Component
public class Crowd {

	private final AtomicInteger runs = new AtomicInteger();

	private final AsyncTaskExecutor threads;

	private final Retries retries;

	Crowd(AsyncTaskExecutor applicationTaskExecutor, Retries retries) {
		this.threads = applicationTaskExecutor;
		this.retries = retries;
	}

	/** Return whether callers are at work. */
	public boolean isBusy() {
		return this.runs.get() > 0;
	}

	/**
	 * Run a call many times at once and wait for all results.
	 * @param run id of the run, an argument of the calls that may be retried
	 * @param call the call; returns false if it is refused
	 */
	public Tally send(int callers, String run, Callable<Boolean> call) {
		this.runs.incrementAndGet();
		this.retries.begin(run);
		try {
			Queue<Duration> times = new ConcurrentLinkedQueue<>();
			List<Future<Boolean>> calls = new ArrayList<>();
			for (int i = 0; i < callers; i++) {
				calls.add(this.threads.submit(() -> timed(call, times)));
			}
			return count(run, calls, times);
		}
		finally {
			this.runs.decrementAndGet();
		}
	}

	private static boolean timed(Callable<Boolean> call, Queue<Duration> times) throws Exception {
		long start = System.nanoTime();
		try {
			return call.call();
		}
		finally {
			times.add(Duration.ofNanos(System.nanoTime() - start));
		}
	}

	private Tally count(String run, List<Future<Boolean>> calls, Queue<Duration> times) {
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
				CallTimes.of(times), error);
	}

	private static String firstLine(Throwable error) {
		return error.toString().lines().findFirst().orElseThrow();
	}

}
