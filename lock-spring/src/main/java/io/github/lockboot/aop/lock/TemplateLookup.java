package io.github.lockboot.aop.lock;

import java.util.List;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.util.Assert;

import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.NoLockOperationsException;
import io.github.lockboot.transaction.TransactionLocks;

/**
 * The templates that lock annotated methods, by bean name. A template is looked up at the
 * first call of a method, so that the creation of a proxy does not connect to a store.
 */
final class TemplateLookup {

	/** The name for the bean that is primary or the only one. */
	static final String PRIMARY = "";

	private final ListableBeanFactory beanFactory;

	private volatile boolean closed;

	TemplateLookup(ListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	LockOperations get(String name) {
		checkOpen();
		return name.equals(PRIMARY) ? primary(List.of("this call"))
				: this.beanFactory.getBean(name, LockOperations.class);
	}

	LockOperations primary(List<String> methods) {
		try {
			return this.beanFactory.getBean(LockOperations.class);
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw new NoLockOperationsException(methods, ex);
		}
	}

	/** Check that there is a template with a name, without creating the bean. */
	void check(String name) {
		boolean exists = name.equals(PRIMARY)
				|| (this.beanFactory.containsBean(name) && this.beanFactory.isTypeMatch(name, LockOperations.class));
		Assert.isTrue(exists, () -> "its template '" + name + "' is not the name of a LockOperations bean" + names());
	}

	TransactionLocks transactionLocks() {
		checkOpen();
		return this.beanFactory.getBean(TransactionLocks.class);
	}

	/** Check that transactions can hold locks, without creating a bean. */
	void checkTransactionLocks() {
		Assert.isTrue(this.beanFactory.getBeanNamesForType(TransactionLocks.class, true, false).length > 0,
				"its scope is TRANSACTION, which needs locks in the database of the transaction: set lock.backend=jdbc,"
						+ " or remove the scope");
	}

	/**
	 * Reject lookups from now on, because a closed bean factory would create beans again.
	 */
	void close() {
		this.closed = true;
	}

	/** Check that beans may still be looked up. */
	void checkOpen() {
		if (this.closed) {
			throw new ClosedContextException();
		}
	}

	private String names() {
		String[] names = this.beanFactory.getBeanNamesForType(LockOperations.class, true, false);
		return (names.length > 0) ? "; there are: " + String.join(", ", names) : "; there is none";
	}

}
