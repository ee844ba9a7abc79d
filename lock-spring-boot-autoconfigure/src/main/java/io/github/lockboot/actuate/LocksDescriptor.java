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
	 * @param holds how many holds this instance has
	 * @param held the holds of this instance, the oldest first, up to the limit
	 * @param waiters how many callers of this instance wait
	 * @param waiting the waiting callers of this instance, the first in the queue first,
	 * up to the limit
	 * @param lost the locks that this instance has lost recently, the latest first
	 * @param store state of the requested lock in the store, over all instances;
	 * {@code null} if no lock was named, or the store did not reply
	 * @param cluster the locks that any instance holds; {@code null} if they were not
	 * requested, or the store did not reply
	 * @param storeError why the store did not reply; {@code null} if it replied
	 */
	public record TemplateDescriptor(int holds, List<LockActivity.Held> held, int waiters,
			List<LockActivity.Waiting> waiting, List<LockActivity.Lost> lost, @Nullable LockState store,
			@Nullable List<LockState> cluster, @Nullable String storeError) {

		static TemplateDescriptor of(LockActivity activity, int most, @Nullable String name, @Nullable LockState store,
				@Nullable List<LockState> cluster, @Nullable String storeError) {
			Predicate<String> shown = (lock) -> name == null || name.equals(lock);
			List<LockActivity.Held> held = activity.held().stream().filter((hold) -> shown.test(hold.name())).toList();
			List<LockActivity.Waiting> waiting = activity.waiting()
				.stream()
				.filter((waiter) -> shown.test(waiter.name()))
				.toList();
			return new TemplateDescriptor(held.size(), held.stream().limit(most).toList(), waiting.size(),
					waiting.stream().limit(most).toList(),
					activity.lost().stream().filter((lost) -> shown.test(lost.name())).toList(), store, cluster,
					storeError);
		}

	}

}
