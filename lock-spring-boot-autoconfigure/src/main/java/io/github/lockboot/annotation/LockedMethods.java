package io.github.lockboot.annotation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;

/**
 * Looks for annotated methods in all beans of an application, and makes none of them.
 */
final class LockedMethods {

	private static final Log logger = LogFactory.getLog(LockedMethods.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final LockDeclarationFinder finder;

	LockedMethods(ConfigurableListableBeanFactory beanFactory, LockDeclarationFinder finder) {
		this.beanFactory = beanFactory;
		this.finder = finder;
	}

	List<LockedMethod> findAll() {
		List<LockedMethod> found = new ArrayList<>();
		Iterator<String> names = this.beanFactory.getBeanNamesIterator();
		while (names.hasNext()) {
			addMethods(names.next(), found);
		}
		found.sort(Comparator.comparing(LockedMethod::describe));
		return found;
	}

	private void addMethods(String beanName, List<LockedMethod> found) {
		Class<?> type = isAbstract(beanName) ? null : AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
		if (type == null || !this.finder.isCandidate(type)) {
			return;
		}
		Object bean = existing(beanName);
		if (bean instanceof ScopedObject) {
			return; // its target is a bean of its own
		}
		annotated(type)
			.forEach((method, declaration) -> found.add(new LockedMethod(beanName, type, method, declaration, bean)));
	}

	private Map<Method, LockDeclaration> annotated(Class<?> type) {
		MetadataLookup<LockDeclaration> lookup = (method) -> this.finder.find(method, type);
		try {
			return MethodIntrospector.selectMethods(type, lookup);
		}
		catch (IllegalStateException | NoClassDefFoundError ex) {
			// a signature with a class that is not there: such a bean can't be proxied or
			// made
			logger.debug("Methods of " + type.getName() + " can't be read", ex);
			return Map.of();
		}
	}

	private boolean isAbstract(String beanName) {
		return this.beanFactory.containsBeanDefinition(beanName)
				&& this.beanFactory.getBeanDefinition(beanName).isAbstract();
	}

	private @Nullable Object existing(String beanName) {
		boolean made = this.beanFactory.containsSingleton(beanName) && !this.beanFactory.isFactoryBean(beanName);
		return made ? this.beanFactory.getSingleton(beanName) : null;
	}

}
