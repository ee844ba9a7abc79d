package io.github.lockboot.autoconfigure.fencing;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
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

import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.RelaxedNames;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fencing.TransactionFence;
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

	private static final Log logger = LogFactory.getLog(TransactionFenceAutoConfiguration.class);

	/**
	 * The length of the column is 255, and in MySQL 1020 bytes; the row of an inner
	 * transaction has a longer name.
	 */
	private static final int LONGEST_KEY = 240;

	/**
	 * This bean is a post-processor, created early, and therefore does not depend on
	 * LockProperties.
	 */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static TransactionFence lockbootTransactionFence(ListableBeanFactory beanFactory) {
		Map<LockTemplate, String> prefixes = new ConcurrentHashMap<>();
		return new TransactionFence((template) -> !(template instanceof LocalLockTemplate), (template, lock) -> {
			String prefix = prefixes.get(template);
			if (prefix == null) { // asked several times in each transaction
				prefix = ofTemplate(beanFactory, template);
				if (prefixes.put(template, prefix) == null && !prefix.isEmpty()) {
					logger.warn("In the table " + TransactionFence.TABLE
							+ ", names of locks of this template begin with '" + prefix
							+ "'. In an application that has no other template they do not, and its transactions"
							+ " and those of this application do not exclude each other");
				}
			}
			return key(beanFactory.getBean(LockProperties.class), prefix, lock);
		}, (dataSource) -> beanFactory.getBean(LockProperties.class).fenceInitializeSchema().isWanted(dataSource));
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static SmartInitializingSingleton lockbootTransactionFenceCheck(TransactionFence fence, LockProperties properties,
			ListableBeanFactory beanFactory) {
		return new TransactionFenceCheck(fence, properties, beanFactory);
	}

	/**
	 * Return the name of a lock in the table, or {@code null} if its transactions are not
	 * fenced.
	 */
	private static @Nullable String key(LockProperties properties, String prefix, String lock) {
		int colon = lock.indexOf(':');
		if (isOff(properties, (colon < 0) ? lock : lock.substring(0, colon))) {
			return null;
		}
		String key = prefix + properties.keyPrefix() + lock;
		return (key.length() <= LONGEST_KEY) ? key : shortened(key);
	}

	/**
	 * Return what distinguishes the locks of another template than the primary one, whose
	 * tokens have nothing to do with those of that one.
	 */
	private static String ofTemplate(ListableBeanFactory beanFactory, LockTemplate template) {
		LockTemplate primary = beanFactory.getBeanProvider(LockTemplate.class).getIfUnique();
		Object target = (primary != null) ? AopProxyUtils.getSingletonTarget(primary) : null;
		if (primary == template || target == template) {
			return "";
		}
		return beanFactory.getBeansOfType(LockTemplate.class)
			.entrySet()
			.stream()
			.filter((bean) -> bean.getValue() == template
					|| AopProxyUtils.getSingletonTarget(bean.getValue()) == template)
			.map((bean) -> bean.getKey() + "/")
			.findFirst()
			.orElse("");
	}

	/** Return whether the transactions under the locks of a name are not fenced. */
	static boolean isOff(LockProperties properties, String name) {
		LockProperties.Named named = RelaxedNames.find(properties.locks(), name);
		return named != null && named.fence() == LockProperties.Fence.OFF;
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

	/**
	 * A condition on the bound value instead of a text, because YAML reads a bare off as
	 * a boolean.
	 */
	static class NotOff implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return Binder.get(context.getEnvironment())
				.bind("lock.fence", LockProperties.Fence.class)
				.orElse(LockProperties.Fence.AUTO) != LockProperties.Fence.OFF;
		}

	}

}
