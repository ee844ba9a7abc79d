package io.github.lockboot.autoconfigure.fencing;

import java.util.Set;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.util.StringUtils;

import io.github.lockboot.aop.ResultKind;
import io.github.lockboot.aop.lock.LockAnnotations;
import io.github.lockboot.aop.lock.LockedTransaction;
import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.fencing.TransactionFence;
import io.github.lockboot.fencing.TransactionManagers;

/**
 * Creates the tables of the fence if the properties require it, and makes the startup
 * fail with {@code lock.fence=required} if transactions under a lock would not be fenced.
 */
record TransactionFenceCheck(TransactionFence fence, LockProperties properties,
		ListableBeanFactory beanFactory) implements SmartInitializingSingleton {

	private static final String REQUIRED = "The property lock.fence=required asks for fenced transactions, but ";

	/** Of methods that may run without a transaction. */
	private static final Set<Integer> WITHOUT = Set.of(TransactionDefinition.PROPAGATION_SUPPORTS,
			TransactionDefinition.PROPAGATION_NOT_SUPPORTED, TransactionDefinition.PROPAGATION_NEVER);

	@Override
	public void afterSingletonsInstantiated() {
		boolean required = this.properties.fence() == LockProperties.Fence.REQUIRED;
		if (required || this.properties.fenceInitializeSchema() != LockProperties.InitializeSchema.NEVER) {
			this.beanFactory.getBeansOfType(TransactionManager.class).forEach((name, transactions) -> {
				DataSource dataSource = TransactionManagers.dataSource(transactions);
				if (dataSource != null && !isFenced(name, dataSource) && required) {
					throw new LockSetupException(
							REQUIRED + "the database of '" + name + "' has no table " + TransactionFence.TABLE + ".",
							"Create it by the script fence.sql, in MySQL and MariaDB fence-mysql.sql, and let its user"
									+ " read and change it. The scripts are in"
									+ " io/github/lockboot/fencing of the jar, or set lock.fence-initialize-schema=always."
									+ " Or set lock.fence=auto.");
				}
			});
		}
		if (required) {
			this.beanFactory.getBeanProvider(LockAnnotations.class)
				.stream()
				.flatMap((annotations) -> annotations.report().transactions().stream())
				.filter((locked) -> !TransactionFenceAutoConfiguration.isOff(this.properties, locked.lockName()))
				.forEach(this::check);
		}
	}

	private boolean isFenced(String name, DataSource dataSource) {
		try {
			return this.fence.isFenced(dataSource);
		}
		catch (RuntimeException ex) { // of any kind, if it is routed by the caller
			throw new LockSetupException(
					"The fence of the locks can't use the database of '" + name + "': " + ex.getMessage(),
					"Start the database, which has to be known without a caller. Grant its user the rights to select,"
							+ " insert and update in the table " + TransactionFence.TABLE + ", and the one to create it"
							+ ", or create the table and set lock.fence-initialize-schema=never.");
		}
	}

	private void check(LockedTransaction locked) {
		String problem = problemOf(locked);
		if (problem != null) {
			throw new LockSetupException(REQUIRED + "the transaction of " + locked.method() + " " + problem + ".",
					"Let the resource check the fencing token, and set lock.locks." + locked.lockName()
							+ ".fence=off; or set lock.fence=auto.");
		}
	}

	private @Nullable String problemOf(LockedTransaction locked) {
		if (!locked.exclusive()) {
			return "is under a semaphore, whose holders do not exclude each other";
		}
		if (WITHOUT.contains(locked.attribute().getPropagationBehavior())) {
			return "does not exist, because of its propagation: its statements are not fenced";
		}
		if (locked.result() != ResultKind.PLAIN && locked.result() != ResultKind.FUTURE) {
			return "does not belong to a thread that holds the lock, because the method returns a "
					+ ((locked.result() == ResultKind.REACTIVE) ? "publisher" : "stage or a stream");
		}
		TransactionManager transactions = managerOf(locked);
		if (transactions == null) {
			return null;
		}
		if (TransactionManagers.dataSource(transactions) == null) {
			return "is of " + transactions.getClass().getName() + ", which is not for one database by JDBC or JPA";
		}
		Object target = AopProxyUtils.getSingletonTarget(transactions);
		return this.fence.knows((target != null) ? target : transactions) ? null
				: "is of " + transactions.getClass().getName()
						+ ", which does not tell listeners of its transactions, or is created before they can be added";
	}

	/**
	 * Return the transaction manager, or {@code null} if the call would fail, or if a
	 * configurer names the manager.
	 */
	private @Nullable TransactionManager managerOf(LockedTransaction locked) {
		try {
			String qualifier = locked.attribute().getQualifier();
			return StringUtils.hasLength(qualifier) ? BeanFactoryAnnotationUtils.qualifiedBeanOfType(this.beanFactory,
					TransactionManager.class, qualifier)
					: this.beanFactory.getBeanProvider(TransactionManager.class).getIfUnique();
		}
		catch (BeansException ex) {
			return null;
		}
	}

}
