package io.github.lockboot.actuate;

import java.time.Duration;
import java.util.List;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockUnavailableException;

/**
 * {@link HealthIndicator} of one lock template: down if its store does not answer, out of
 * service if locks that are held could not be renewed in time although it does. One
 * command to the store over the connection that is there, within its time limit.
 *
 * @since 1.0.0
 */
public class LockHealthIndicator implements HealthIndicator {

	/** A lock that nobody needs to have. */
	private static final String PROBE = "health";

	/** Renewals that are tried again and succeed by then are not worth an alarm. */
	private static final Duration GRACE = Duration.ofSeconds(1);

	private static final int NAMES = 10;

	private final LockOperations template;

	/**
	 * Create an indicator.
	 * @param template whose locks it is about
	 */
	public LockHealthIndicator(LockOperations template) {
		this.template = template;
	}

	@Override
	public Health health() {
		LockActivity activity = LockTemplates.activity(this.template);
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

	/** Half of the lease is over, and a renewal was due at a third. */
	private static boolean isLate(LockActivity.Held held) {
		return held.overdue().compareTo(GRACE) > 0 && held.overdue().compareTo(held.lease().dividedBy(6)) > 0;
	}

}
