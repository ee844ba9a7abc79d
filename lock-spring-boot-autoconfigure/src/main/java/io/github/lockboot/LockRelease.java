package io.github.lockboot;

/**
 * Whether a release waits for the reply of the store. A caller depends on the reply only
 * if it notifies others, by other means than the lock, that the lock is free: without the
 * wait, they may find the lock busy for half a round trip longer.
 * <p>
 * If it is not set, sections, annotated methods and {@link LockHandle#closeAsync()} do
 * not wait, and {@link LockHandle#close()} and
 * {@link java.util.concurrent.locks.Lock#unlock()} do. So do all releases of a lock that
 * is not renewed or that has a shortest hold. A lock whose loss is thrown by its section
 * ({@link OnLost#THROW} and {@link OnLost#INTERRUPT}) is always confirmed, because the
 * reply may show a loss.
 *
 * @since 1.0.0
 */
public enum LockRelease {

	/**
	 * The release is sent, and the caller continues. The next caller of this instance
	 * need not wait for the reply either. A release that fails is repeated in the
	 * background, and shutdown waits for it. A loss that the reply shows is logged, and
	 * reported to listeners after the release.
	 */
	SENT,

	/**
	 * The caller continues when the store has replied, or has failed to.
	 */
	CONFIRMED

}
