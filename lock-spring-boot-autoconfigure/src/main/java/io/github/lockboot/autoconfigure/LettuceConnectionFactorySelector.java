package io.github.lockboot.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.StringUtils;

/**
 * Chooses the connection factory whose Redis keeps the locks, or the entries of the
 * cache.
 */
final class LettuceConnectionFactorySelector {

	private final ListableBeanFactory beanFactory;

	private final RedisFeature feature;

	LettuceConnectionFactorySelector(ListableBeanFactory beanFactory, RedisFeature feature) {
		this.feature = feature;
		this.beanFactory = beanFactory;
	}

	LettuceConnectionFactory select(@Nullable String beanName) {
		RedisConnectionFactory factory = StringUtils.hasText(beanName) ? named(beanName) : onlyOne();
		if (factory instanceof LettuceConnectionFactory lettuce) {
			return lettuce;
		}
		throw LockSetupException.lettuceIsNotUsed(this.feature, factory);
	}

	private RedisConnectionFactory named(String beanName) {
		try {
			return this.beanFactory.getBean(beanName, RedisConnectionFactory.class);
		}
		catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
			throw LockSetupException.noSuchConnectionFactory(beanName, names());
		}
	}

	private RedisConnectionFactory onlyOne() {
		try {
			return this.beanFactory.getBean(RedisConnectionFactory.class);
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw LockSetupException.severalConnectionFactories(this.feature, names());
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw LockSetupException.noConnectionFactory(this.feature);
		}
	}

	private String names() {
		return String.join(", ", this.beanFactory.getBeanNamesForType(RedisConnectionFactory.class, true, false));
	}

}
