package io.github.lockboot.aop.lock;

import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.Schedules;
import org.springframework.scheduling.config.TaskManagementConfigUtils;
import org.springframework.scheduling.support.CronExpression;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockRequest;
import io.github.lockboot.aop.AnnotatedMethod;

/**
 * Finds probable mistakes of locked methods that Spring's scheduler calls.
 */
record ScheduledJobs(ConfigurableBeanFactory beanFactory) {

	private static final int RUNS = 20;

	/** Return one sentence for each mistake of a method, none if it has no schedule. */
	Stream<String> mistakes(AnnotatedMethod<?> job, LockRequest request) {
		return AnnotatedElementUtils.getMergedRepeatableAnnotations(job.method(), Scheduled.class, Schedules.class)
			.stream()
			.flatMap((schedule) -> Stream.of(withoutScheduler(), inTurn(request), skipped(schedule, request)))
			.filter(Objects::nonNull)
			.map((mistake) -> job.describe() + " is @Scheduled " + mistake)
			.distinct();
	}

	private @Nullable String withoutScheduler() {
		return this.beanFactory.containsBean(TaskManagementConfigUtils.SCHEDULED_ANNOTATION_PROCESSOR_BEAN_NAME) ? null
				: "but never runs by its schedule: add @EnableScheduling to a configuration";
	}

	private static @Nullable String inTurn(LockRequest request) {
		Duration waitTime = request.waitTime();
		return (request.isExclusive() && waitTime != null && !waitTime.isZero())
				? "and waits for its lock, so that each instance runs it in turn: use @ScheduledLock, with which one"
						+ " instance runs it, or set waitTime = \"0\""
				: null;
	}

	private @Nullable String skipped(Scheduled schedule, LockRequest request) {
		Duration hold = request.minHoldTime();
		Duration period = (hold != null) ? period(schedule) : null;
		return (hold != null && period != null && hold.compareTo(period) > 0)
				? "each " + LockDefaults.text(period) + " and has the minHoldTime " + LockDefaults.text(hold)
						+ ", so that runs are skipped: set a minHoldTime below the period"
				: null;
	}

	/** Return the shortest time between two runs, or {@code null} if it is unknown. */
	private @Nullable Duration period(Scheduled schedule) {
		try {
			TimeUnit unit = schedule.timeUnit();
			String cron = resolve(schedule.cron());
			String time = resolve(schedule.fixedRateString() + schedule.fixedDelayString());
			long fixed = Math.max(schedule.fixedRate(), schedule.fixedDelay());
			if (!cron.isEmpty()) {
				return cron.equals(Scheduled.CRON_DISABLED) ? null : period(CronExpression.parse(cron));
			}
			if (!time.isEmpty()) {
				return DurationFormatterUtils.detectAndParse(time,
						DurationFormat.Unit.fromChronoUnit(unit.toChronoUnit()));
			}
			return (fixed >= 0) ? Duration.of(fixed, unit.toChronoUnit()) : null;
		}
		catch (IllegalArgumentException ex) {
			return null; // reported by the scheduler
		}
	}

	private static @Nullable Duration period(CronExpression cron) {
		Duration shortest = null;
		LocalDateTime run = cron.next(LocalDate.EPOCH.atStartOfDay());
		for (int i = 0; run != null && i < RUNS; i++) {
			LocalDateTime next = cron.next(run);
			Duration period = (next != null) ? Duration.between(run, next) : null;
			shortest = (period != null && (shortest == null || period.compareTo(shortest) < 0)) ? period : shortest;
			run = next;
		}
		return shortest;
	}

	private String resolve(String text) {
		return Objects.requireNonNullElse(this.beanFactory.resolveEmbeddedValue(text), "");
	}

}
