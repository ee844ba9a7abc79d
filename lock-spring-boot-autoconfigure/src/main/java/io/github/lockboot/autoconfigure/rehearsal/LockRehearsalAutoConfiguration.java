package io.github.lockboot.autoconfigure.rehearsal;

import java.util.function.Consumer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;

import io.github.lockboot.LockOperations;
import io.github.lockboot.aop.lock.LockAnnotations;
import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.concurrent.DaemonThreads;
import io.github.lockboot.engine.LockTemplate;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for a rehearsal of lost locks.
 *
 * @since 1.0.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "lock.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "lock.rehearsal.lose")
@EnableConfigurationProperties(LockProperties.class)
public final class LockRehearsalAutoConfiguration {

	private static final Profiles PRODUCTION = Profiles.of("prod | production");

	@Bean
	LockRehearsal lockbootRehearsal(LockProperties properties, Environment environment,
			ObjectProvider<LockOperations> locks) {
		LockProperties.Rehearsal rehearsal = properties.rehearsal();
		if (!rehearsal.forced() && environment.acceptsProfiles(PRODUCTION)) {
			throw new LockSetupException(
					"lock.rehearsal.lose would end leases under their holders, and the profile '"
							+ String.join("', '", environment.getActiveProfiles()) + "' is active.",
					"Remove lock.rehearsal.lose from production, or set lock.rehearsal.forced=true.");
		}
		return new LockRehearsal(rehearsal.sections(), locks::getObject, new DaemonThreads("lock-rehearsal"));
	}

	@Bean
	static SmartInitializingSingleton lockbootRehearsalStart(LockRehearsal rehearsal, LockAnnotations lockAnnotations,
			ObjectProvider<LockTemplate> templates) {
		return () -> {
			Consumer<String> checks = lockAnnotations.findIgnoredLosses(rehearsal::ignored);
			templates.forEach((template) -> template.onCheck(checks));
		};
	}

}
