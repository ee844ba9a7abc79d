package io.github.lockboot.autoconfigure.jdbc;

import liquibase.integration.spring.SpringLiquibase;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.util.ClassUtils;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.jdbc.JdbcLockSettings;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the lock of Liquibase.
 *
 * @since 1.0.0
 */
@AutoConfiguration
@ConditionalOnClass({ SpringLiquibase.class, DataSourceBuilder.class, SimpleDriverDataSource.class })
@ConditionalOnBooleanProperty(name = "lock.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "lock.jdbc.liquibase", havingValue = "true")
@EnableConfigurationProperties({ LockProperties.class, JdbcLockProperties.class })
public final class LiquibaseLockAutoConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static BeanPostProcessor lockbootMigrationLocks(BeanFactory beans, ResourceLoader loader) {
		if (!ClassUtils.isPresent("liquibase.integration.spring.Customizer", loader.getClassLoader())) {
			throw new LockSetupException("lock.jdbc.liquibase=true needs a later version of Liquibase than this one.",
					"Set liquibase.version to 4.33.0, or remove lock.jdbc.liquibase.");
		}
		return new MigrationLocks(() -> {
			LockDefaults defaults = beans.getBean(LockProperties.class).defaults(beans.getBean(Environment.class));
			return JdbcLockSettings.defaults()
				.withStatementTimeout(beans.getBean(JdbcLockProperties.class).statementTimeout())
				.withLockDefaults(LockDefaults.defaults()
					.withLeaseTime(defaults.leaseTime())
					.withApplication(defaults.application()));
		});
	}

}
