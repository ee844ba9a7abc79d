package io.github.lockboot;

/**
 * Whether a release waits for the reply of the store. A caller needs the reply only if it
 * tells others, by other means than the lock, that the lock is free: without the wait,
 * these others may find the lock busy for half a round trip longer.
 * <p>
 * By default, sections, annotated methods and {@link LockHandle#closeAsync()} do not
 * wait, while {@link LockHandle#close()} and
 * {@link java.util.concurrent.locks.Lock#unlock()} wait. Every release of a lock that is
 * not renewed or that has a minimum hold time also waits. The release of a lock whose
 * section throws the loss ({@link OnLost#THROW} and {@link OnLost#INTERRUPT}) always
 * waits, because the reply may show a loss.
 *
 * @since 1.0.0
 */
public enum LockRelease {

	/**
	 * The caller continues as soon as the release is sent. The next caller of this
	 * instance does not wait for the reply either. A release that fails is repeated in
	 * the background, and shutdown waits for the release. A loss that the reply shows is
	 * logged, and reported to listeners after the release.
	 */
	SENT,

	/**
	 * The caller continues when the store has replied or has failed to reply.
	 */
	CONFIRMED

}
