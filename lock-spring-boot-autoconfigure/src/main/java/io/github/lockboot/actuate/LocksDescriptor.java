package io.github.lockboot.actuate;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockState;

/**
 * The locks that the endpoint shows.
 *
 * @param templates the templates of this instance, by the names of their beans
 * @param longestWaits the locks for which callers of this instance have waited longest in
 * the last five to ten minutes, at most twenty, the longest total first
 * @since 1.0.0
 */
public record LocksDescriptor(Map<String, TemplateDescriptor> templates,
		List<LongestWaits.Waits> longestWaits) implements OperationResponseBody {

	/**
	 * The locks of one template.
	 *
	 * @param held the holds of this instance, the oldest first
	 * @param waiting the waiting callers of this instance, the first in the queue first
	 * @param lost the locks that this instance has lost recently, the latest first
	 * @param store state of the requested lock in the store, over all instances;
	 * {@code null} if no lock was named, or the store did not reply
	 * @param cluster the locks that any instance holds; {@code null} if they were not
	 * requested, or the store did not reply
	 * @param storeError why the store did not reply; {@code null} if it replied
	 */
	public record TemplateDescriptor(List<LockActivity.Held> held, List<LockActivity.Waiting> waiting,
			List<LockActivity.Lost> lost, @Nullable LockState store, @Nullable List<LockState> cluster,
			@Nullable String storeError) {

		static TemplateDescriptor of(LockActivity activity, @Nullable String name, @Nullable LockState store,
				@Nullable List<LockState> cluster, @Nullable String storeError) {
			Predicate<String> shown = (lock) -> name == null || name.equals(lock);
			return new TemplateDescriptor(activity.held().stream().filter((held) -> shown.test(held.name())).toList(),
					activity.waiting().stream().filter((waiting) -> shown.test(waiting.name())).toList(),
					activity.lost().stream().filter((lost) -> shown.test(lost.name())).toList(), store, cluster,
					storeError);
		}

	}

}
