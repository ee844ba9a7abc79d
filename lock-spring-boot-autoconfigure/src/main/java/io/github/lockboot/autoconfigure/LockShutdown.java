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
import io.github.lockboot.engine.LockTemplate;

/**
 * Lets the locks of an application come to their end when it stops: nobody gets one any
 * more, sections that run are waited for, and what is held then is given back.
 * <p>
 * It stops after all that brings work, which may need locks to finish: the web server
 * with its requests, the listeners of messages, Spring's executors and schedulers. It
 * stops before what a section works with: connection factories and others whose phase is
 * zero or below, and all beans that are destroyed.
 */
final class LockShutdown implements SmartLifecycle {

	static final int PHASE = ExecutorConfigurationSupport.DEFAULT_PHASE - 1024;

	private static final Log logger = LogFactory.getLog(LockShutdown.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final Duration timeout;

	private final boolean release;

	private final Duration confirmation;

	private volatile boolean running;

	/**
	 * Create a lifecycle.
	 * @param beanFactory where the templates are
	 * @param timeout how long to wait for sections
	 * @param release whether to take locks away from sections that run on
	 * @param confirmation how long the store has to confirm the last releases, once no
	 * section runs: one that is dead would not in any time
	 */
	LockShutdown(ConfigurableListableBeanFactory beanFactory, Duration timeout, boolean release,
			Duration confirmation) {
		this.beanFactory = beanFactory;
		this.timeout = timeout;
		this.release = release;
		this.confirmation = confirmation;
	}

	@Override
	public void start() {
		templates().forEach(LockTemplate::resume);
		this.running = true;
	}

	/**
	 * Blocks for as long as is waited for sections, so that the time limit of the phase
	 * does not cut that short.
	 */
	@Override
	public void stop() {
		long deadlineNanos = System.nanoTime() + this.timeout.toNanos();
		List<LockTemplate> templates = templates().toList();
		templates.forEach(LockTemplate::stop);
		for (LockTemplate template : templates) {
			if (template.awaitNoneHeld(Duration.ofNanos(deadlineNanos - System.nanoTime())) || takeAway(template)) {
				template.awaitAllGivenBack(this.confirmation);
			}
		}
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

	/** A context that pauses has to let go of nothing here. */
	@Override
	public boolean isPauseable() {
		return false;
	}

	private boolean takeAway(LockTemplate template) {
		if (this.release) {
			template.takeAllAway("the application stops, and it was not given back within the "
					+ this.timeout.toMillis() + " ms of lock.shutdown.timeout");
			return true;
		}
		List<String> names = template.activity().held().stream().map(LockActivity.Held::name).toList();
		if (!names.isEmpty()) { // else somebody has only asked for one
			logger.warn("The application stops while it holds " + names.size() + " locks, which others get only when"
					+ " their leases are over: " + names);
		}
		return false;
	}

	/** Those that exist: none is made to be stopped. */
	private Stream<LockTemplate> templates() {
		return Stream.of(this.beanFactory.getBeanNamesForType(LockTemplate.class, false, false))
			.map(this.beanFactory::getSingleton)
			.filter(LockTemplate.class::isInstance) // there, and no factory of one
			.map(LockTemplate.class::cast);
	}

}
