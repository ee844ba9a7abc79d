package io.github.lockboot.autoconfigure.jdbc;

import java.sql.SQLException;
import java.util.Arrays;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Role;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.util.StringUtils;

import io.github.lockboot.LockOperations;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.autoconfigure.LockHealthContributorAutoConfiguration;
import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.autoconfigure.ReactiveLockAutoConfiguration;
import io.github.lockboot.fencing.SqlStates;
import io.github.lockboot.fencing.SqlStates.Mistake;
import io.github.lockboot.jdbc.JdbcLockTemplate;
import io.github.lockboot.jdbc.transaction.CommitFence;
import io.github.lockboot.jdbc.transaction.JdbcTransactionLocks;
import io.github.lockboot.jdbc.transaction.NestedTransactions;
import io.github.lockboot.transaction.TransactionLocks;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for locks in a relational database.
 *
 * @since 1.0.0
 */
@AutoConfiguration(before = { LockHealthContributorAutoConfiguration.class, ReactiveLockAutoConfiguration.class },
		beforeName = "io.github.lockboot.autoconfigure.LocksEndpointAutoConfiguration",
		afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration" })
@ConditionalOnClass({ DataSourceBuilder.class, SimpleDriverDataSource.class })
@ConditionalOnBooleanProperty(name = "lock.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "lock.backend", havingValue = "jdbc")
@EnableConfigurationProperties({ LockProperties.class, JdbcLockProperties.class })
public final class JdbcLockAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(LockOperations.class)
	@DependsOnDatabaseInitialization
	JdbcLockTemplate jdbcLockTemplate(ListableBeanFactory beanFactory, LockProperties properties,
			JdbcLockProperties jdbc) {
		LockSetupException.checkBackend(JdbcLockBackend.NAME, properties);
		DataSource dataSource = dataSource(beanFactory, jdbc.dataSource());
		try {
			return JdbcLockTemplates.create(beanFactory, dataSource);
		}
		catch (LockUnavailableException ex) {
			throw new LockSetupException(String.valueOf(ex.getMessage()),
					action(ex.getCause()) + " To lock within one JVM only, set lock.backend=local.");
		}
	}

	private static String action(@Nullable Throwable cause) {
		Mistake mistake = (cause instanceof SQLException failure) ? SqlStates.mistake(failure) : Mistake.OTHER;
		return switch (mistake) {
			case MISSING_TABLE -> "Create the tables with the script for your database in io/github/lockboot/jdbc of"
					+ " the jar, or set lock.jdbc.initialize-schema=always.";
			case OTHER -> "Start the database, or correct spring.datasource.";
			case MISSING_RIGHT -> "Grant the user of spring.datasource the rights to read and change the tables.";
			default -> "Change the tables as the script for your database in io/github/lockboot/jdbc of the jar says.";
		};
	}

	@Bean
	@ConditionalOnMissingBean(TransactionLocks.class)
	@ConditionalOnBean(JdbcLockTemplate.class)
	JdbcTransactionLocks jdbcTransactionLocks(JdbcLockTemplate jdbcLockTemplate) {
		return new JdbcTransactionLocks(jdbcLockTemplate);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@Conditional(FenceNotOff.class)
	static CommitFence lockbootCommitFence() {
		return new CommitFence();
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnBean(CommitFence.class)
	static SmartInitializingSingleton lockbootCommitFenceCheck(CommitFence fence) {
		return () -> {
			try {
				fence.checkRights();
			}
			catch (LockUnavailableException ex) {
				throw new LockSetupException(String.valueOf(ex.getMessage()),
						"Grant the rights to the user of the application's data source. With"
								+ " lock.jdbc.commit-fence=off only the check in memory remains, which a holder"
								+ " that was suspended may pass too late.");
			}
		};
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static NestedTransactions lockbootNestedTransactions() {
		return new NestedTransactions();
	}

	private static DataSource dataSource(ListableBeanFactory beanFactory, @Nullable String beanName) {
		return StringUtils.hasText(beanName) ? named(beanFactory, beanName)
				: new UnpooledDataSource(onlyOne(beanFactory),
						(plain) -> beanFactory.getBeanProvider(JdbcLockDataSourceCustomizer.class)
							.orderedStream()
							.forEach((customizer) -> customizer.customize(plain)),
						"Define another DataSource bean without a pool, as @Bean(defaultCandidate = false), and name it"
								+ " in lock.jdbc.data-source.");
	}

	private static DataSource named(ListableBeanFactory beanFactory, String beanName) {
		try {
			return beanFactory.getBean(beanName, DataSource.class);
		}
		catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
			throw new LockSetupException(
					"The property lock.jdbc.data-source names '" + beanName + "', which is not a DataSource bean.",
					"Name one of these beans: " + names(beanFactory) + ".");
		}
	}

	private static DataSource onlyOne(ListableBeanFactory beanFactory) {
		try {
			return beanFactory.getBean(DataSource.class);
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new LockSetupException(
					"Locks in a database need one DataSource, but there are several such beans and none is primary: "
							+ names(beanFactory) + ".",
					"Name one of them in lock.jdbc.data-source, or mark one as @Primary.");
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw new LockSetupException("Locks in a database need a DataSource bean, but there is none.",
					"Configure a database under spring.datasource, or set lock.backend=local to lock within one JVM"
							+ " only.");
		}
	}

	private static String names(ListableBeanFactory beanFactory) {
		return String.join(", ", Arrays.asList(beanFactory.getBeanNamesForType(DataSource.class, true, false)));
	}

	/** A condition on the bound value, as that of {@code lock.fence}. */
	static class FenceNotOff implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return Binder.get(context.getEnvironment())
				.bind("lock.jdbc.commit-fence", JdbcLockProperties.CommitFence.class)
				.orElse(JdbcLockProperties.CommitFence.AUTO) != JdbcLockProperties.CommitFence.OFF;
		}

	}

}
