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

	private final String property;

	/**
	 * Create a warning.
	 * @param beanFactory the beans of the application
	 * @param registry type of which there are several
	 * @param property what switches off that for which it is needed
	 */
	SeveralRegistriesWarning(ListableBeanFactory beanFactory, Class<?> registry, String property) {
		this.beanFactory = beanFactory;
		this.registry = registry;
		this.property = property;
	}

	@Override
	public void afterSingletonsInstantiated() {
		String names = String.join(", ", this.beanFactory.getBeanNamesForType(this.registry, true, false));
		logger.warn("Locks and caches report to no " + this.registry.getSimpleName()
				+ ": there are several and none is primary: " + names + ". Mark one as @Primary, or set "
				+ this.property + "=false");
	}

}
