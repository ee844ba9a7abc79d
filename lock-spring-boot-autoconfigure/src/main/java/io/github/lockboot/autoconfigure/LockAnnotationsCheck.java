package io.github.lockboot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;

import io.github.lockboot.annotation.InvalidLockAnnotationException;
import io.github.lockboot.aop.FurtherFindings;
import io.github.lockboot.aop.lock.LockAnnotations;
import io.github.lockboot.aop.lock.LockAnnotationsReport;
import io.github.lockboot.autoconfigure.LockProperties.Named;
import io.github.lockboot.autoconfigure.LockProperties.Validation;

/**
 * Checks all annotated methods after all singletons are created. A missing backend makes
 * the startup fail in any validation mode, because no call could succeed.
 *
 * @param configured the names that have settings
 * @param further what the report lists, too, if it stops the start
 */
record LockAnnotationsCheck(LockAnnotations annotations, Validation validation, Map<String, Named> configured,
		ObjectProvider<FurtherFindings> further)
		implements
			SmartInitializingSingleton,
			ApplicationListener<ContextRefreshedEvent> {

	static final String BEAN_NAME = "lockbootAnnotationsCheck";

	private static final Log logger = LogFactory.getLog(LockAnnotationsCheck.class);

	@Override
	public void afterSingletonsInstantiated() {
		if (this.validation != Validation.OFF) {
			this.annotations.checkLater(this::reportLate);
		}
		LockAnnotationsReport report = this.annotations.report();
		if (report.isEmpty() && this.configured.isEmpty()) {
			return;
		}
		report.requireOperations();
		if (this.validation == Validation.OFF) {
			List<String> unlocked = report.unlocked();
			if (!unlocked.isEmpty()) {
				logger.warn("lock.aspect.validation=off: these methods run unlocked: " + String.join(", ", unlocked));
			}
		}
		else {
			report.hints().forEach(logger::warn);
			this.annotations.selfInvocations(report).forEach(logger::warn);
			List<String> findings = report.findings();
			if (!findings.isEmpty() && this.validation == Validation.FAIL) {
				findings = Stream
					.concat(findings.stream(), this.further.orderedStream().flatMap((each) -> each.findings().stream()))
					.toList();
			}
			report(findings);
			reportUnusedSettings(report);
		}
	}

	private void reportUnusedSettings(LockAnnotationsReport report) {
		report.unknown(this.configured.keySet(), RelaxedNames::isFor)
			.forEach((unknown) -> logger.warn("Settings under lock.locks are not used. " + unknown));
		Set<String> withPermits = this.configured.entrySet()
			.stream()
			.filter((named) -> named.getValue().permits() != null)
			.map(Map.Entry::getKey)
			.collect(Collectors.toSet());
		report.withoutSemaphore(withPermits, RelaxedNames::isFor).forEach(logger::warn);
	}

	/** Check child contexts, which also publish their events here. */
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (this.validation != Validation.OFF && !event.getApplicationContext().containsLocalBean(BEAN_NAME)
				&& event.getApplicationContext() instanceof ConfigurableApplicationContext child) {
			report(this.annotations.unlockedIn(child.getBeanFactory()));
		}
	}

	private void reportLate(LockAnnotationsReport bean) {
		bean.hints().forEach(logger::warn);
		this.annotations.selfInvocations(bean).forEach(logger::warn);
		report(bean.problems());
	}

	private void report(List<String> findings) {
		if (findings.isEmpty()) {
			return;
		}
		InvalidLockAnnotationException report = new InvalidLockAnnotationException(findings);
		if (this.validation == Validation.FAIL) {
			throw report;
		}
		logger.warn(report.getMessage());
	}

}
