package io.github.lockboot;

/**
 * What happens to a section of {@code execute} or of an annotated method whose lease is
 * lost while it runs. Whatever is chosen, {@link LockHandle#isHeld()} turns false,
 * callbacks and listeners are told, and one warning is logged; and a transaction that an
 * annotated method has begun under the lock is not committed but rolled back, and
 * {@link LockLostException} thrown, also with {@link #LOG}.
 *
 * @since 1.0.0
 */
public enum OnLost {

	/**
	 * Nothing more: the section runs to its end and its result is returned, unless there
	 * is a transaction to roll back.
	 */
	LOG,

	/**
	 * {@link LockLostException} once the section has ended. An exception of the section
	 * itself wins and carries it as suppressed.
	 */
	THROW,

	/**
	 * The thread of the section is interrupted at once, and {@link LockLostException}
	 * follows as with {@link #THROW}; also where the section ends with the
	 * {@link InterruptedException}, which it carries as suppressed.
	 */
	INTERRUPT

}
