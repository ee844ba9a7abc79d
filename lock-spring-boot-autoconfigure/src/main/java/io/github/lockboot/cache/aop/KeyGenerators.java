package io.github.lockboot.cache.aop;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.cache.interceptor.KeyGenerator;
import org.springframework.util.Assert;

/**
 * Looks for the key generators that annotations name.
 */
final class KeyGenerators {

	private final ListableBeanFactory beanFactory;

	KeyGenerators(ListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Return a key generator. Makes the bean.
	 * @throws IllegalArgumentException if there is none of that name
	 */
	KeyGenerator find(String beanName) {
		boolean found = this.beanFactory.containsBean(beanName)
				&& this.beanFactory.isTypeMatch(beanName, KeyGenerator.class);
		Assert.isTrue(found, () -> "names the keyGenerator '" + beanName
				+ "', which is no KeyGenerator bean: define one of that name" + known());
		return this.beanFactory.getBean(beanName, KeyGenerator.class);
	}

	private String known() {
		String[] names = this.beanFactory.getBeanNamesForType(KeyGenerator.class);
		return (names.length > 0) ? ", or name one of these: " + String.join(", ", names) : "";
	}

}
