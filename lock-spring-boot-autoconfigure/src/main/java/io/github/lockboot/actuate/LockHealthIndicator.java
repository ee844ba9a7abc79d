package io.github.lockboot.actuate;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

import io.github.lockboot.LockOperations;

/**
 * {@link HealthIndicator} of one lock template: down if the store grants no lock, out of
 * service if the store does but leases of held locks were not renewed in time. The
 * indicator acquires and releases a lock that no caller uses, over the template's
 * connection, within five seconds.
 *
 * @since 1.0.0
 */
public class LockHealthIndicator implements HealthIndicator {

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
		LockHealth health = LockHealth.of(this.template);
		Health.Builder builder = health.isLate() ? Health.outOfService() : Health.up();
		if (health.failure() != null) {
			builder.down(health.failure());
		}
		return builder.withDetails(health.details()).build();
	}

}
