package io.github.lockboot.actuate;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockMonitor;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockUnavailableException;

/**
 * Health of one lock template, without the types of Spring Boot, which moved in version
 * 4.
 *
 * @param failure why the store did not reply, {@code null} if it replied
 * @param isLate whether leases of held locks were not renewed in time
 * @param details the details to show
 */
record LockHealth(@Nullable LockUnavailableException failure, boolean isLate, Map<String, Object> details) {

	/** A name to ask a template for that cannot probe its store. */
	private static final String PROBE = "lockboot:health";

	/** A renewal that succeeds on a retry within this time is not late. */
	private static final Duration GRACE = Duration.ofSeconds(1);

	private static final int NAMES = 10;

	/** Acquire and release a lock over the template's connection. */
	static LockHealth of(LockOperations template) {
		LockActivity activity = LocksEndpoint.activity(template);
		List<LockActivity.Held> late = activity.held().stream().filter(LockHealth::isLate).toList();
		LockUnavailableException failure = null;
		long beginNanos = System.nanoTime();
		try {
			if (template instanceof LockMonitor monitor) {
				monitor.probe();
			}
			else {
				template.inspect(PROBE);
			}
		}
		catch (LockUnavailableException ex) {
			failure = ex;
		}
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("answered", Duration.ofNanos(System.nanoTime() - beginNanos).truncatedTo(ChronoUnit.MILLIS));
		describe(activity, late, details);
		if (template instanceof LockMonitor monitor && !monitor.connection().isEmpty()) {
			details.put("connection", monitor.connection());
		}
		return new LockHealth(failure, !late.isEmpty(), details);
	}

	private static void describe(LockActivity activity, List<LockActivity.Held> late, Map<String, Object> details) {
		details.put("held", activity.held().size());
		details.put("waiting", activity.waiting().size());
		LockActivity.Renewal slowest = activity.slowestRenewal();
		if (slowest != null) {
			details.put("slowestRenewal", slowest);
		}
		if (!late.isEmpty()) {
			details.put("lateRenewals", late.stream().limit(NAMES).toList());
		}
	}

	/**
	 * Return whether a renewal is late. A renewal is due after a third of the lease, and
	 * late after half of it.
	 */
	private static boolean isLate(LockActivity.Held held) {
		return held.overdue().compareTo(GRACE) > 0 && held.overdue().compareTo(held.lease().dividedBy(6)) > 0;
	}

}
