package io.github.lockboot.autoconfigure.leader;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.LeaderOnly;
import io.github.lockboot.aop.leader.LeaderAnnotations;
import io.github.lockboot.autoconfigure.LocalLockAutoConfiguration;
import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.autoconfigure.ProxyCreatorRegistrar;
import io.github.lockboot.autoconfigure.RedisLockAutoConfiguration;
import io.github.lockboot.leader.ElectionOutage;
import io.github.lockboot.leader.LeaderElection;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for leader elections and
 * {@link LeaderOnly}. This auto-configuration has no condition on an election: without
 * one, an annotated method must make the startup fail instead of running everywhere.
 *
 * @since 1.0.0
 */
@AutoConfiguration(after = { RedisLockAutoConfiguration.class, LocalLockAutoConfiguration.class })
@EnableConfigurationProperties({ LeaderProperties.class, LockProperties.class })
@Import(LeaderElectionRegistrar.class)
public final class LeaderAutoConfiguration {

	private static final Log logger = LogFactory.getLog(LeaderAutoConfiguration.class);

	/** Create the election of one role, for {@link LeaderElectionRegistrar}. */
	static LeaderElection leaderElection(String role, LockOperations locks, LeaderProperties properties,
			LockProperties lockProperties, ElectionOutage outage) {
		try {
			return LeaderElection.of(locks, role, properties.leaseTime(), lockProperties.shutdown().timeout(), outage);
		}
		catch (UnsupportedOperationException ex) {
			throw new LockSetupException("The property lock.leader.lease-time does not apply. " + ex.getMessage() + ".",
					"Remove lock.leader.lease-time.");
		}
	}

	@Bean
	static ElectionOutage lockbootElectionOutage() {
		return new ElectionOutage();
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LeaderAnnotations lockbootLeaderAnnotations(ConfigurableListableBeanFactory beanFactory,
			Environment environment) {
		return new LeaderAnnotations(beanFactory, environment::resolveRequiredPlaceholders);
	}

	@Bean
	static SmartInitializingSingleton lockbootLeaderCheck(LeaderAnnotations leaderAnnotations,
			ListableBeanFactory beanFactory, Environment environment) {
		return environment.getProperty("lock.enabled", Boolean.class, true)
				? () -> check(leaderAnnotations, beanFactory.getBeansOfType(LeaderElection.class))
				: () -> warnOfEveryInstance(leaderAnnotations.methods());
	}

	private static void check(LeaderAnnotations annotations, Map<String, LeaderElection> elections) {
		Map<String, String> beans = new HashMap<>();
		elections.forEach((bean, election) -> {
			String other = beans.putIfAbsent(election.role(), bean);
			if (other != null) {
				throw new LockSetupException(
						"There are two leader elections of role '" + election.role() + "': the beans '" + other
								+ "' and '" + bean + "'.",
						"Remove one of the beans, or the role from lock.leader.roles, or give them different roles.");
			}
		});
		annotations.selfInvocations().forEach(logger::warn);
		List<String> findings = annotations.findings();
		if (!findings.isEmpty()) {
			throw new LockSetupException("These methods would not run on the leader only:\n\n    - "
					+ String.join("\n    - ", findings) + "\n", "Correct these methods, or remove @LeaderOnly.");
		}
	}

	private static void warnOfEveryInstance(List<String> methods) {
		if (!methods.isEmpty()) {
			logger.warn(
					"lock.enabled=false: @LeaderOnly is ignored and methods run on every instance: " + methods.size());
		}
	}

	/**
	 * Spring registers the beans of nested classes before those of the enclosing class.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "lock.enabled", matchIfMissing = true)
	@Import(ProxyCreatorRegistrar.class)
	static class ByProxies {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static Advisor lockbootLeaderAdvisor(LeaderAnnotations leaderAnnotations) {
			return leaderAnnotations.advisor();
		}

	}

}
