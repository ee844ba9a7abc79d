package io.github.lockboot.engine;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.concurrent.DaemonThreads;

/**
 * A few daemon threads for tasks of one kind, which end when they are idle. Tasks wait
 * while all of them are busy. Thread-safe.
 */
final class Callbacks implements Executor, AutoCloseable {

	private static final int THREADS = 4;

	private static final long IDLE_SECONDS = 5;

	private static final Log logger = LogFactory.getLog(Callbacks.class);

	private final ThreadPoolExecutor executor;

	Callbacks(String threadName) {
		this.executor = new ThreadPoolExecutor(THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), new DaemonThreads(threadName));
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Run a task soon. What it throws is logged.
	 */
	@Override
	public void execute(Runnable callback) {
		this.executor.execute(() -> {
			try {
				callback.run();
			}
			catch (RuntimeException | Error ex) {
				logger.warn("A callback for a lost lock failed", ex);
			}
		});
	}

	/**
	 * Let idle threads end. Tasks that are handed in later still run.
	 */
	@Override
	public void close() {
		this.executor.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
	}

}
