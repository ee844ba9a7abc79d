package io.github.lockboot.faults;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Finds the greatest, in a given order, of the holds that started before a time. Call it
 * with ascending times.
 */
final class PrecedingHolds {

	private final List<Hold> byStart;

	private final Comparator<Hold> order;

	private int next;

	private @Nullable Hold greatest;

	PrecedingHolds(Collection<Hold> holds, Comparator<Hold> order) {
		this.byStart = holds.stream().sorted(Comparator.comparingLong(Hold::startedNanos)).toList();
		this.order = order;
	}

	/**
	 * Return the greatest of the holds that certainly started before a time.
	 * @param nanos the time
	 * @return a hold, or {@code null} if there is none
	 */
	@Nullable Hold greatestBefore(long nanos) {
		while (this.next < this.byStart.size() && this.byStart.get(this.next).startedNanos() < nanos) {
			Hold each = this.byStart.get(this.next++);
			if (this.greatest == null || this.order.compare(each, this.greatest) > 0) {
				this.greatest = each;
			}
		}
		return this.greatest;
	}

}
