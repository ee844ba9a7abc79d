package io.github.lockboot.test;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.mockito.Mockito;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.util.ClassUtils;

import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.aop.lock.LockAnnotations;

/**
 * Warns once for each application context of a test in which methods with
 * {@link DistributedLock @DistributedLock} are not locked, because the test is a slice
 * that does not load the locks, or has a mock of {@link LockOperations}, which does not
 * run the methods.
 */
record UnlockedTestWarning() implements ContextCustomizer {

	private static final Log logger = LogFactory.getLog(UnlockedTestWarning.class);

	private static final boolean MOCKITO = ClassUtils.isPresent("org.mockito.Mockito",
			UnlockedTestWarning.class.getClassLoader());

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
		context.addApplicationListener(new Check(context));
	}

	/**
	 * Creates equal customizers for all tests, so that tests share their contexts.
	 */
	static final class Factory implements ContextCustomizerFactory {

		@Override
		public ContextCustomizer createContextCustomizer(Class<?> testClass,
				List<ContextConfigurationAttributes> attributes) {
			return new UnlockedTestWarning();
		}

	}

	private record Check(ConfigurableApplicationContext context) implements ApplicationListener<ContextRefreshedEvent> {

		@Override
		public void onApplicationEvent(ContextRefreshedEvent event) {
			ConfigurableListableBeanFactory beans = this.context.getBeanFactory();
			String cause = cause(beans);
			if (event.getApplicationContext() != this.context || cause == null) {
				return;
			}
			List<String> types = AnnotatedMethod.find(beans, Check::isCandidate, Check::isAnnotated)
				.filter((method) -> !isMock(method.bean()))
				.map((method) -> String.valueOf(method.beanType()))
				.distinct()
				.toList();
			if (!types.isEmpty()) {
				logger.warn("Methods with @DistributedLock " + cause
						+ ": put @LocalLocks on the test class. They are in " + String.join(", ", types));
			}
		}

		private static @Nullable String cause(ConfigurableListableBeanFactory beans) {
			if (beans.getBeanNamesForType(LockAnnotations.class, true, false).length == 0) {
				return "run without a lock, since this test does not load the auto-configuration of the locks";
			}
			boolean mocked = Arrays.stream(beans.getBeanNamesForType(LockOperations.class, true, false))
				.anyMatch((name) -> isMock(beans.getSingleton(name)));
			return mocked ? "do not run, since LockOperations is a mock in this test" : null;
		}

		private static boolean isMock(@Nullable Object bean) {
			return MOCKITO && bean != null && Mockito.mockingDetails(bean).isMock()
					&& !Mockito.mockingDetails(bean).isSpy();
		}

		private static boolean isCandidate(Class<?> type) {
			return !type.getName().startsWith("org.springframework.");
		}

		/** Return whether a call would be locked, or {@code null} if not. */
		private static @Nullable Boolean isAnnotated(Method method, Class<?> type) {
			return (AnnotatedElementUtils.hasAnnotation(method, DistributedLock.class)
					|| AnnotatedElementUtils.hasAnnotation(type, DistributedLock.class)) ? true : null;
		}

	}

}
