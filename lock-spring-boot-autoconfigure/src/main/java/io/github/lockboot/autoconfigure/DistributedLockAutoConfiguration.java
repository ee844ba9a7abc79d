package io.github.lockboot.autoconfigure;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.aop.FurtherFindings;
import io.github.lockboot.aop.lock.LockAnnotations;
import io.github.lockboot.aop.lock.LockWeaving;
import io.github.lockboot.aop.lock.Reruns;
import io.github.lockboot.autoconfigure.LockProperties.Mode;
import io.github.lockboot.autoconfigure.LockProperties.Release;
import io.github.lockboot.transaction.OpenTransactionWarning;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for {@link DistributedLock}. This
 * auto-configuration has no condition on a backend: without a backend, an annotated
 * method must make the startup fail instead of running unlocked.
 *
 * @since 1.0.0
 */
@AutoConfiguration(afterName = { "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
		"org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration" })
@EnableConfigurationProperties(LockProperties.class)
public final class DistributedLockAutoConfiguration {

	private static final Log logger = LogFactory.getLog(DistributedLockAutoConfiguration.class);

	/**
	 * This bean is created early, for a proxy creator, and therefore does not depend on
	 * LockProperties.
	 */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockAnnotations lockbootAnnotations(ConfigurableListableBeanFactory beanFactory, Environment environment) {
		Binder binder = Binder.get(environment);
		int order = binder.bind("lock.aspect.order", Integer.class).orElse(LockProperties.Aspect.DEFAULT_ORDER);
		Release release = binder.bind("lock.transaction.release", Release.class).orElse(Release.AFTER_COMPLETION);
		return new LockAnnotations(beanFactory, environment::resolveRequiredPlaceholders,
				(name) -> beanFactory.getBean(LockProperties.class).defaults(name), order,
				release == Release.AFTER_COMPLETION, new ApplicationTasks(beanFactory));
	}

	@Bean
	static Reruns lockbootReruns(LockAnnotations lockAnnotations) {
		return lockAnnotations.reruns();
	}

	@Bean
	static UnknownPropertiesWarning lockbootUnknownPropertiesWarning(ConfigurableEnvironment environment) {
		return new UnknownPropertiesWarning(environment);
	}

	/**
	 * This bean is created early, as a post-processor, and therefore does not depend on
	 * LockProperties.
	 */
	@Bean
	static LockWeaving lockbootWeaving(LockAnnotations lockAnnotations, Environment environment) {
		boolean enabled = environment.getProperty("lock.enabled", Boolean.class, true)
				&& environment.getProperty("lock.aspect.enabled", Boolean.class, true);
		Mode mode = Binder.get(environment).bind("lock.aspect.mode", Mode.class).orElse(Mode.PROXY);
		return (enabled && mode == Mode.ASPECTJ) ? lockAnnotations.weave() : lockAnnotations.doNotWeave();
	}

	@Bean(LockAnnotationsCheck.BEAN_NAME)
	static SmartInitializingSingleton lockbootAnnotationsCheck(LockAnnotations lockAnnotations,
			LockProperties properties, ObjectProvider<FurtherFindings> further) {
		return (properties.enabled() && properties.aspect().enabled()) ? new LockAnnotationsCheck(lockAnnotations,
				properties.aspect().validation(), properties.locks(), further)
				: () -> warnOfUnlocked(lockAnnotations.report().methods().size(), properties);
	}

	private static void warnOfUnlocked(int methods, LockProperties properties) {
		if (methods > 0) {
			logger.warn((properties.enabled() ? "lock.aspect.enabled" : "lock.enabled")
					+ "=false: @DistributedLock is ignored, so that without a lock "
					+ ((methods == 1) ? "1 method runs" : methods + " methods run"));
		}
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnBooleanProperty(name = { "lock.enabled", "lock.aspect.enabled" }, matchIfMissing = true)
	static BeanPostProcessor lockbootCommitCheck(LockAnnotations lockAnnotations) {
		return lockAnnotations.commitCheck();
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnClass(name = "org.springframework.transaction.support.TransactionSynchronizationManager")
	static OpenTransactionWarning lockbootOpenTransactionWarning() {
		return new OpenTransactionWarning();
	}

	/**
	 * Spring registers the beans of nested classes before those of the enclosing class.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = { "lock.enabled", "lock.aspect.enabled" }, matchIfMissing = true)
	@ConditionalOnProperty(name = "lock.aspect.mode", havingValue = "proxy", matchIfMissing = true)
	@Import(ProxyCreatorRegistrar.class)
	static class ByProxies {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static Advisor lockbootAdvisor(LockAnnotations lockAnnotations) {
			return lockAnnotations.advisor();
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static BeanPostProcessor lockbootLateCheck(LockAnnotations lockAnnotations) {
			return lockAnnotations.lateCheck();
		}

		/**
		 * This advisor has the same order as the advisor of transactions, and is
		 * registered after it.
		 */
		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static Advisor lockbootTransactionAdvisor(LockAnnotations lockAnnotations) {
			return lockAnnotations.transactionAdvisor();
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(name = "jakarta.validation.executable.ExecutableValidator")
		static class Validated {

			@Bean
			@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
			static BeanPostProcessor lockbootValidationBeforeLock(LockAnnotations lockAnnotations) {
				return lockAnnotations.validationBeforeLock();
			}

		}

	}

}
