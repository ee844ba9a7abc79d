package io.github.lockboot.autoconfigure;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Says once that nothing is measured or observed because it is not clear where to.
 */
final class SeveralRegistriesWarning implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(SeveralRegistriesWarning.class);

	private final ListableBeanFactory beanFactory;

	private final Class<?> registry;

	private final Class<?> reporter;

	private final String property;

	/**
	 * Create a warning.
	 * @param beanFactory the beans of the application
	 * @param registry type of which there are several
	 * @param reporter type of what would report to it, if it were one
	 * @param property what switches off that for which it is needed
	 */
	SeveralRegistriesWarning(ListableBeanFactory beanFactory, Class<?> registry, Class<?> reporter, String property) {
		this.beanFactory = beanFactory;
		this.registry = registry;
		this.reporter = reporter;
		this.property = property;
	}

	@Override
	public void afterSingletonsInstantiated() {
		String[] registries = names(this.registry);
		if (registries.length > 1 && names(this.reporter).length == 0) {
			logger.warn("Locks and caches report to no " + this.registry.getSimpleName()
					+ ": there are several and none is primary: " + String.join(", ", registries)
					+ ". Mark one as @Primary, or set " + this.property + "=false");
		}
	}

	private String[] names(Class<?> type) {
		return this.beanFactory.getBeanNamesForType(type, true, false);
	}

}
