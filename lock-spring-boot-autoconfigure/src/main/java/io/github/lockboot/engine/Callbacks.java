package io.github.lockboot.engine;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.concurrent.DaemonThreads;

/**
 * The threads for users' code: none while nothing is to be told. Thread-safe.
 */
final class Callbacks implements Executor, AutoCloseable {

	private static final int THREADS = 4;

	private static final long IDLE_SECONDS = 5;

	private static final Log logger = LogFactory.getLog(Callbacks.class);

	private final ThreadPoolExecutor executor = new ThreadPoolExecutor(THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS,
			new LinkedBlockingQueue<>(), new DaemonThreads("lock-callback"));

	Callbacks() {
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Run users' code soon. What it throws is logged.
	 * @param callback what to run
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
	 * Leave no thread behind. Who asks for a lock later still gets an answer, and a task
	 * that is handed in meanwhile is not lost.
	 */
	@Override
	public void close() {
		this.executor.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
	}

}
