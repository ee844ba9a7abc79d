package io.github.lockboot.engine;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The callers that wait in one lane, in the order of their arrival. Guarded by the mutex
 * of the lane.
 */
final class WaitingLine {

	private final Set<Waiter> waiters = new LinkedHashSet<>();

	boolean isEmpty() {
		return this.waiters.isEmpty();
	}

	@Nullable Waiter first() {
		Iterator<Waiter> iterator = this.waiters.iterator();
		return iterator.hasNext() ? iterator.next() : null;
	}

	void add(Waiter waiter) {
		this.waiters.add(waiter);
	}

	boolean remove(Waiter waiter) {
		return this.waiters.remove(waiter);
	}

	/**
	 * Tell about all.
	 * @param report what is told
	 */
	void report(ActivityReport report) {
		this.waiters.forEach(report::add);
	}

	/**
	 * Send those away that wanted to know the next answer only.
	 * @param refusal what they are told
	 */
	void dismissLeaving(Outcome refusal) {
		this.waiters.removeIf((waiter) -> waiter.isLeaving() && waiter.complete(refusal));
	}

	/**
	 * Send those away that may not stay.
	 * @param gate who says so, and what they are told
	 */
	void dismiss(Gate gate) {
		this.waiters.removeIf((waiter) -> {
			Outcome refusal = gate.refusal(waiter);
			if (refusal != null) {
				waiter.complete(refusal);
			}
			return refusal != null;
		});
	}

}
