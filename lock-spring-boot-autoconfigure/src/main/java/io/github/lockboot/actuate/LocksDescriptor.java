package io.github.lockboot.actuate;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockState;

/**
 * What the endpoint answers.
 *
 * @param templates the templates of this instance by the names of their beans
 * @since 1.0.0
 */
public record LocksDescriptor(Map<String, TemplateDescriptor> templates) implements OperationResponseBody {

	/**
	 * The locks of one template.
	 *
	 * @param held what this instance holds, the oldest hold first
	 * @param waiting who waits in this instance, who came first in front
	 * @param lost what this instance has lost lately, the latest loss first
	 * @param store what the store knows of the one lock that was asked for, over all
	 * instances; {@code null} if none was, or the store did not answer
	 * @param storeError why the store did not answer; {@code null} if it did
	 */
	public record TemplateDescriptor(List<LockActivity.Held> held, List<LockActivity.Waiting> waiting,
			List<LockActivity.Lost> lost, @Nullable LockState store, @Nullable String storeError) {

		static TemplateDescriptor of(LockActivity activity) {
			return new TemplateDescriptor(activity.held(), activity.waiting(), activity.lost(), null, null);
		}

		static TemplateDescriptor of(LockActivity activity, String name, @Nullable LockState store,
				@Nullable String storeError) {
			return new TemplateDescriptor(activity.held().stream().filter((held) -> held.name().equals(name)).toList(),
					activity.waiting().stream().filter((waiting) -> waiting.name().equals(name)).toList(),
					activity.lost().stream().filter((lost) -> lost.name().equals(name)).toList(), store, storeError);
		}

	}

}
