package io.github.lockboot.faults;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Finds the greatest of the holds that began before another one, in some order. To be
 * asked in the order in which those others began.
 */
final class Earlier {

	private final List<Tenancy> bySince;

	private final Comparator<Tenancy> order;

	private int next;

	private @Nullable Tenancy greatest;

	Earlier(Collection<Tenancy> tenancies, Comparator<Tenancy> order) {
		this.bySince = tenancies.stream().sorted(Comparator.comparingLong(Tenancy::sinceNanos)).toList();
		this.order = order;
	}

	/**
	 * Return the greatest of the holds that began before another one beyond doubt.
	 * @param tenancy the other one
	 * @return a hold, or {@code null} if there is none
	 */
	@Nullable Tenancy greatestBefore(Tenancy tenancy) {
		while (this.next < this.bySince.size() && this.bySince.get(this.next).isBefore(tenancy)) {
			Tenancy each = this.bySince.get(this.next++);
			if (this.greatest == null || this.order.compare(each, this.greatest) > 0) {
				this.greatest = each;
			}
		}
		return this.greatest;
	}

}
