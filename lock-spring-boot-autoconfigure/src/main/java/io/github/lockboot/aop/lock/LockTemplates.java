package io.github.lockboot.aop.lock;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.util.Assert;

import io.github.lockboot.LockOperations;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.annotation.NoLockOperationsException;

/**
 * What annotated methods are locked with, by the name of a bean; looked up at the first
 * call, so that making a proxy makes no connection. Without a lock of its own: two
 * threads may look one up at once while beans are being made.
 */
final class LockTemplates {

	/** Stands for the bean that is primary or the only one. */
	static final String PRIMARY = "";

	private final BeanFactory beanFactory;

	private final Map<String, LockOperations> known = new ConcurrentHashMap<>();

	private volatile boolean closed;

	LockTemplates(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	LockOperations get(String name) {
		LockOperations operations = this.known.get(name);
		if (operations == null) {
			checkOpen();
			operations = name.equals(PRIMARY) ? primary(List.of("this call"))
					: this.beanFactory.getBean(name, LockOperations.class);
			this.known.put(name, operations);
		}
		return operations;
	}

	/**
	 * Return the primary one.
	 * @throws NoLockOperationsException if there is none
	 */
	LockOperations primary(List<String> methods) {
		try {
			return this.beanFactory.getBean(LockOperations.class);
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw new NoLockOperationsException(methods, ex);
		}
	}

	/**
	 * Check that there is such a bean, without making it.
	 * @throws IllegalArgumentException if there isn't
	 */
	void check(String name) {
		boolean exists = name.equals(PRIMARY)
				|| (this.beanFactory.containsBean(name) && this.beanFactory.isTypeMatch(name, LockOperations.class));
		Assert.isTrue(exists, () -> "its template '" + name + "' is not the name of a LockOperations bean" + names());
	}

	/**
	 * Refuse what is not known yet from now on: a bean factory that is closed would make
	 * beans anew.
	 */
	void close() {
		this.closed = true;
	}

	/**
	 * Check that beans may still be looked up.
	 * @throws LockUnavailableException if the application context is closed
	 */
	void checkOpen() {
		if (this.closed) {
			throw new LockUnavailableException(null,
					"No lock was taken: the application context is closed, and gives out no more locks", null);
		}
	}

	private String names() {
		if (!(this.beanFactory instanceof ListableBeanFactory beans)) {
			return "";
		}
		String[] names = beans.getBeanNamesForType(LockOperations.class, true, false);
		return (names.length > 0) ? "; there are: " + String.join(", ", names) : "; there is none";
	}

}
