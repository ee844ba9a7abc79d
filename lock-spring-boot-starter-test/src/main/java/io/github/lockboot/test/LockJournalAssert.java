package io.github.lockboot.test;

import java.util.Arrays;
import java.util.List;

import org.assertj.core.api.AbstractAssert;

import io.github.lockboot.LockRequest;

/**
 * Assertions about the events of an application's locks.
 *
 * @since 1.0.0
 */
public final class LockJournalAssert extends AbstractAssert<LockJournalAssert, LockJournal> {

	LockJournalAssert(LockJournal actual) {
		super(actual, LockJournalAssert.class);
	}

	/**
	 * Fail unless locks were acquired, possibly among others and in any order.
	 * @param names names of the locks, for an annotated method {@code name:key}
	 * @return this
	 */
	public LockJournalAssert hasAcquired(String... names) {
		return contains(LockEvent.Kind.ACQUIRED, names);
	}

	/**
	 * Fail unless exactly these locks were acquired, in this order.
	 * @param names names of the locks, for an annotated method {@code name:key}
	 * @return this
	 */
	public LockJournalAssert hasAcquiredExactly(String... names) {
		List<String> acquired = names(LockEvent.Kind.ACQUIRED);
		if (!acquired.equals(List.of(names))) {
			failWithMessage("Expected exactly %s to be acquired but there is: %s", List.of(names), this.actual);
		}
		return this;
	}

	/**
	 * Fail if any lock was acquired.
	 * @return this
	 */
	public LockJournalAssert hasAcquiredNothing() {
		return hasAcquiredExactly();
	}

	/**
	 * Fail unless the application failed to acquire locks: the locks stayed busy, the
	 * store failed or the thread was interrupted.
	 * @param names names of the locks
	 * @return this
	 */
	public LockJournalAssert hasFailedToAcquire(String... names) {
		return contains(LockEvent.Kind.NOT_ACQUIRED, names);
	}

	/**
	 * Fail unless locks were released in time.
	 * @param names names of the locks
	 * @return this
	 */
	public LockJournalAssert hasReleased(String... names) {
		return contains(LockEvent.Kind.RELEASED, names);
	}

	/**
	 * Fail unless locks were lost while the application held them.
	 * @param names names of the locks
	 * @return this
	 */
	public LockJournalAssert hasLost(String... names) {
		return contains(LockEvent.Kind.LOST, names);
	}

	/**
	 * Fail if a lock was lost.
	 * @return this
	 */
	public LockJournalAssert hasLostNothing() {
		if (!names(LockEvent.Kind.LOST).isEmpty()) {
			failWithMessage("Expected no lock to be lost but there is: %s", this.actual);
		}
		return this;
	}

	private LockJournalAssert contains(LockEvent.Kind kind, String... names) {
		isNotNull();
		List<String> found = names(kind);
		List<String> missing = Arrays.stream(names).filter((name) -> !found.contains(name)).toList();
		if (!missing.isEmpty()) {
			failWithMessage("Expected the application to have %s %s but there is: %s", kind, missing, this.actual);
		}
		return this;
	}

	private List<String> names(LockEvent.Kind kind) {
		return this.actual.requests(kind).stream().map(LockRequest::name).toList();
	}

}
