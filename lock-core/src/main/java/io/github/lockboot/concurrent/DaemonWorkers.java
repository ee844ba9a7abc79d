package io.github.lockboot.concurrent;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Daemon threads that end when they are idle. */
final class DaemonWorkers implements MonotonicClock.Workers {

	private static final long IDLE_SECONDS = 5;

	private final ThreadPoolExecutor threads;

	DaemonWorkers(String name, int most) {
		this.threads = new ThreadPoolExecutor(most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				new DaemonThreads(name));
		this.threads.allowCoreThreadTimeOut(true);
	}

	@Override
	public void execute(Runnable task) {
		this.threads.execute(task);
	}

	@Override
	public void close() {
		this.threads.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
	}

}
