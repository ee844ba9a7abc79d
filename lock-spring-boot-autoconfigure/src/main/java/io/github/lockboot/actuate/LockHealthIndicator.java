package io.github.lockboot.actuate;

import java.time.Duration;
import java.util.List;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockUnavailableException;

/**
 * {@link HealthIndicator} of one lock template: down if its store does not reply, out of
 * service if it replies but leases of held locks were not renewed in time. Sends one
 * command over the template's connection, within the store's time limit.
 *
 * @since 1.0.0
 */
public class LockHealthIndicator implements HealthIndicator {

	/** Name of a lock that nobody needs to hold. */
	private static final String PROBE = "health";

	/** A renewal that succeeds on a retry within this time is not late. */
	private static final Duration GRACE = Duration.ofSeconds(1);

	private static final int NAMES = 10;

	private final LockOperations template;

	/**
	 * Create an indicator.
	 * @param template the template
	 */
	public LockHealthIndicator(LockOperations template) {
		this.template = template;
	}

	@Override
	public Health health() {
		LockActivity activity = LocksEndpoint.activity(this.template);
		List<LockActivity.Held> late = activity.held().stream().filter(LockHealthIndicator::isLate).toList();
		Health.Builder health = late.isEmpty() ? Health.up() : Health.outOfService();
		long beginNanos = System.nanoTime();
		try {
			this.template.inspect(PROBE);
		}
		catch (LockUnavailableException ex) {
			health.down(ex);
		}
		health.withDetail("answered", Duration.ofNanos(System.nanoTime() - beginNanos));
		return describe(health, activity, late).build();
	}

	private static Health.Builder describe(Health.Builder health, LockActivity activity, List<LockActivity.Held> late) {
		health.withDetail("held", activity.held().size()).withDetail("waiting", activity.waiting().size());
		LockActivity.Renewal slowest = activity.slowestRenewal();
		if (slowest != null) {
			health.withDetail("slowestRenewal", slowest);
		}
		if (!late.isEmpty()) {
			health.withDetail("lateRenewals", late.stream().limit(NAMES).toList());
		}
		return health;
	}

	/** A renewal is due after a third of the lease, and late after half of it. */
	private static boolean isLate(LockActivity.Held held) {
		return held.overdue().compareTo(GRACE) > 0 && held.overdue().compareTo(held.lease().dividedBy(6)) > 0;
	}

}
