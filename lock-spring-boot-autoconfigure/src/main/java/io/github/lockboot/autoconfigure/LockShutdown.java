package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;

import io.github.lockboot.LockActivity;
import io.github.lockboot.engine.LockLifecycle;
import io.github.lockboot.engine.LockTemplate;

/**
 * Stops the locks with the application. The shutdown grants no new lock, waits for
 * running sections, and then releases the locks that are still held.
 * <p>
 * The shutdown runs after the components that bring work, which may need locks to finish:
 * the web server, message listeners, Spring's executors and schedulers. It runs before
 * the components that a section uses: connection factories and others whose phase is zero
 * or below, and all beans that are destroyed.
 */
class LockShutdown implements SmartLifecycle {

	static final int PHASE = ExecutorConfigurationSupport.DEFAULT_PHASE - 1024;

	private static final int NAMES = 10;

	private static final Log logger = LogFactory.getLog(LockShutdown.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final Duration timeout;

	/** Whether sections that are still running lose their locks. */
	private final boolean release;

	/** How long to wait for the store to confirm the last releases. */
	private final Duration confirmation;

	private volatile boolean running;

	private volatile boolean stopped;

	LockShutdown(ConfigurableListableBeanFactory beanFactory, Duration timeout, boolean release,
			Duration confirmation) {
		this.beanFactory = beanFactory;
		this.timeout = timeout;
		this.release = release;
		this.confirmation = confirmation;
	}

	@Override
	public void start() {
		if (this.stopped) {
			templates().forEach((template) -> lifecycle(template).resume());
			this.stopped = false;
		}
		templates().forEach((template) -> lifecycle(template).started());
		this.running = true;
	}

	/**
	 * Stop the locks. This method blocks, so that the time limit of the phase does not
	 * end the wait early.
	 */
	@Override
	public void stop() {
		long deadlineNanos = System.nanoTime() + this.timeout.toNanos();
		List<LockTemplate> templates = templates().toList();
		templates.forEach((template) -> lifecycle(template).stop());
		for (LockTemplate template : templates) {
			LockLifecycle lifecycle = lifecycle(template);
			if (lifecycle.awaitNoneHeld(Duration.ofNanos(deadlineNanos - System.nanoTime())) || takeAway(template)) {
				lifecycle.awaitAllReleased(this.confirmation);
			}
		}
		this.stopped = true;
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/** Return false, because there is nothing to do on a pause. */
	@Override
	public boolean isPauseable() {
		return false;
	}

	private boolean takeAway(LockTemplate template) {
		if (this.release) {
			lifecycle(template).takeAllAway("the application is stopping, and the lock was not released within the "
					+ this.timeout.toMillis() + " ms of lock.shutdown.timeout");
			return true;
		}
		List<String> names = template.activity().held().stream().map(LockActivity.Held::name).toList();
		if (!names.isEmpty()) { // a caller may still be acquiring a lock
			logger.warn("The application is stopping while it holds " + names.size() + " locks, which others"
					+ " can acquire only when their leases expire: " + names.stream().limit(NAMES).toList()
					+ ((names.size() > NAMES) ? " and others" : ""));
		}
		return false;
	}

	LockLifecycle lifecycle(LockTemplate template) {
		return LockLifecycle.of(template);
	}

	/** Return the existing templates: no template is created in order to be stopped. */
	private Stream<LockTemplate> templates() {
		return Stream.of(this.beanFactory.getBeanNamesForType(LockTemplate.class, false, false))
			.map(this.beanFactory::getSingleton)
			// an existing bean, and not a factory of one
			.filter(LockTemplate.class::isInstance)
			.map(LockTemplate.class::cast);
	}

}
