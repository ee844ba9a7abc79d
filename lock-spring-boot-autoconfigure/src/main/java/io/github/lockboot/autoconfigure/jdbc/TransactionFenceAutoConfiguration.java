package io.github.lockboot.autoconfigure.jdbc;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Role;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionManager;

import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.autoconfigure.RelaxedNames;
import io.github.lockboot.jdbc.transaction.TransactionFence;
import io.github.lockboot.local.LocalLockTemplate;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the fence of the transactions of
 * holders, with locks in any store.
 *
 * @since 1.0.0
 */
@AutoConfiguration
@ConditionalOnClass({ JdbcTemplate.class, ConfigurableTransactionManager.class })
@ConditionalOnBooleanProperty(name = "lock.enabled", matchIfMissing = true)
@Conditional(TransactionFenceAutoConfiguration.NotOff.class)
@EnableConfigurationProperties(LockProperties.class)
public final class TransactionFenceAutoConfiguration {

	/** Of the column in MySQL, in bytes; letters have up to three each. */
	private static final int LONGEST_KEY = 255;

	/** A post-processor, created early: does not depend on LockProperties. */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static TransactionFence lockbootTransactionFence(BeanFactory beanFactory) {
		return new TransactionFence((template) -> !(template instanceof LocalLockTemplate),
				(lock) -> key(beanFactory.getBean(LockProperties.class), lock));
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static SmartInitializingSingleton lockbootTransactionFenceCheck(TransactionFence fence, LockProperties properties,
			ListableBeanFactory beanFactory) {
		return () -> {
			if (properties.getFence() == LockProperties.Fence.REQUIRED) {
				beanFactory.getBeansOfType(TransactionManager.class)
					.forEach((name, transactions) -> check(fence, name, transactions));
			}
		};
	}

	private static void check(TransactionFence fence, String name, TransactionManager transactions) {
		DataSource dataSource = TransactionFence.dataSource(transactions);
		if (dataSource == null) {
			throw new LockSetupException(
					"The property lock.fence=required asks for fenced transactions, and those of '" + name + "' ("
							+ transactions.getClass().getName() + ") are not of one database by JDBC or JPA.",
					"Set lock.fence=auto, and let the resource check the fencing token.");
		}
		if (!fence.isFenced(dataSource)) {
			throw new LockSetupException(
					"The property lock.fence=required asks for fenced transactions, and the database of '" + name
							+ "' has no table " + TransactionFence.TABLE + ".",
					"Create it: CREATE TABLE lock_fence (name VARCHAR(255) PRIMARY KEY, token BIGINT NOT NULL), in MySQL and"
							+ " MariaDB with VARBINARY(1020) as the type of the name. Or set lock.fence=auto.");
		}
	}

	/** Return the name of a lock in the table, {@code null} if it is not fenced. */
	private static @Nullable String key(LockProperties properties, String lock) {
		int colon = lock.indexOf(':');
		LockProperties.Named named = RelaxedNames.find(properties.getLocks(),
				(colon < 0) ? lock : lock.substring(0, colon));
		if (named != null && named.getFence() == LockProperties.Fence.OFF) {
			return null;
		}
		String key = properties.getKeyPrefix() + lock;
		return (key.length() <= LONGEST_KEY) ? key : shortened(key);
	}

	private static String shortened(String key) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
			return key.substring(0, LONGEST_KEY / 2) + "~" + HexFormat.of().formatHex(digest);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	/** Not by a text: YAML reads a bare off as a boolean. */
	static class NotOff implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return Binder.get(context.getEnvironment())
				.bind("lock.fence", LockProperties.Fence.class)
				.orElse(LockProperties.Fence.AUTO) != LockProperties.Fence.OFF;
		}

	}

}
