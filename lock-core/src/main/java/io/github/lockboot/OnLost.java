package io.github.lockboot;

/**
 * What happens to a section of {@code execute} or to an annotated method whose lease is
 * lost while it runs. With each value {@link LockHandle#isHeld()} returns false,
 * callbacks and listeners are called, and one warning is logged. A transaction that an
 * annotated method has started under the lock is rolled back, and
 * {@link LockLostException} is thrown, even with {@link #LOG}.
 *
 * @since 1.0.0
 */
public enum OnLost {

	/**
	 * Only log the loss: the section runs to its end and its result is returned, unless
	 * there is a transaction to roll back.
	 */
	LOG,

	/**
	 * Throw {@link LockLostException} after the section has ended. If the section throws
	 * an exception, that exception is thrown, with the loss as suppressed exception.
	 */
	THROW,

	/**
	 * Interrupt the thread of the section at once, and throw {@link LockLostException} as
	 * with {@link #THROW}. If the section ends with an {@link InterruptedException},
	 * {@link LockLostException} is thrown, with that exception as suppressed exception.
	 */
	INTERRUPT

}
