package io.github.lockboot.test;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;

/**
 * Entry point of the assertions about locks, to be imported together with AssertJ's
 * {@code assertThat}.
 *
 * @since 1.0.0
 */
public final class LockAssertions {

	private LockAssertions() {
	}

	/**
	 * Create assertions about the state of locks in their store, over all nodes.
	 * @param actual the template
	 * @return the assertions
	 */
	public static LockOperationsAssert assertThat(LockOperations actual) {
		return new LockOperationsAssert(actual);
	}

	/**
	 * Create assertions about the events of the application's locks.
	 * @param actual the journal
	 * @return the assertions
	 */
	public static LockJournalAssert assertThat(LockJournal actual) {
		return new LockJournalAssert(actual);
	}

	/**
	 * Create assertions about one hold of a lock.
	 * @param actual the handle, or {@code null} if the lock was not acquired
	 * @return the assertions
	 */
	public static LockHandleAssert assertThat(@Nullable LockHandle actual) {
		return new LockHandleAssert(actual);
	}

}
