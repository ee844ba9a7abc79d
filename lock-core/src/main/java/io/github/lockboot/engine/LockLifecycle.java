package io.github.lockboot.engine;

import java.time.Duration;

import io.github.lockboot.Internal;
import io.github.lockboot.LockUnavailableException;

/**
 * Shuts down the locks of a template, and starts them again.
 */
@Internal
public class LockLifecycle {

	private final LockEngine engine;

	private LockLifecycle(LockEngine engine) {
		this.engine = engine;
	}

	/** Return the lifecycle of a template, which users of the template do not see. */
	public static LockLifecycle of(LockTemplate template) {
		return new LockLifecycle(template.engine());
	}

	/**
	 * Create a template on the same locks that is another instance, as another JVM would
	 * be, for tests of applications. The new template has no listeners, and the caller
	 * has to close it.
	 * @throws UnsupportedOperationException if the store does not support this
	 */
	public static LockTemplate anotherInstance(LockTemplate template) {
		return template.anotherInstance();
	}

	/**
	 * Note that the current thread has started the application. A lock that it has
	 * acquired before stays held until a bean releases it, or until the template is
	 * closed.
	 */
	public void started() {
		this.engine.started();
	}

	/**
	 * Grant no more locks: all current and later callers receive a
	 * {@link LockUnavailableException}. Only a thread that runs a section under a lock of
	 * the template can acquire further locks, to complete the section. This method
	 * returns at once.
	 */
	public void stop() {
		this.engine.stop();
	}

	/**
	 * After {@link #stop()}, wait until no lock is held. The store may not have confirmed
	 * the last releases. The locks of the current thread, and of a thread that waits in
	 * {@link System#exit}, are released.
	 * @param timeout how long to wait; an interrupted thread does not wait
	 */
	public boolean awaitNoneHeld(Duration timeout) {
		return this.engine.awaitNoneHeld(timeout);
	}

	/**
	 * After {@link #stop()}, wait until all locks are released and the store has
	 * confirmed the releases.
	 * @param timeout how long to wait; an interrupted thread does not wait
	 */
	public boolean awaitAllReleased(Duration timeout) {
		return this.engine.awaitAllReleased(timeout);
	}

	/**
	 * After {@link #stop()}, take the locks away from all holders. The holders are
	 * notified as of any lost lock, and the locks are released in the background.
	 * @param reason why the locks are taken away, as the end of a sentence
	 */
	public void takeAllAway(String reason) {
		this.engine.takeAllAway(reason);
	}

	/**
	 * Grant locks again after {@link #stop()}.
	 */
	public void resume() {
		this.engine.resume();
	}

}
