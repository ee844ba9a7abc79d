package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.Map;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

import io.github.lockboot.LockListener;
import io.github.lockboot.LockOperations;
import io.github.lockboot.autoconfigure.store.LockBackend;
import io.github.lockboot.local.LocalLockTemplate;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for locks within one JVM.
 *
 * @since 1.0.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "lock.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "lock.backend", havingValue = "local")
@EnableConfigurationProperties(LockProperties.class)
public final class LocalLockAutoConfiguration {

	private static final Log logger = LogFactory.getLog(LocalLockAutoConfiguration.class);

	@Bean
	@ConditionalOnMissingBean(LockOperations.class)
	LocalLockTemplate localLockTemplate(LockProperties properties, Environment environment,
			ObjectProvider<LockListener> listeners) {
		LockSetupException.checkBackend(LockBackend.LOCAL, properties);
		logger.warn("lock.backend=local: locks exclude callers of this JVM only, and not those of other instances."
				+ " Use it for tests and development");
		return new LocalLockTemplate(properties.defaults(environment), listeners.orderedStream().toList());
	}

	/**
	 * Describes the store in the memory of one JVM.
	 */
	static final class Backend implements LockBackend.Provider {

		@Override
		public LockBackend get() {
			return new LockBackend(LockBackend.LOCAL, "in one JVM", "lock-spring-boot",
					LocalLockTemplate.class.getName(), "io.github.lockboot:lock-spring-boot-autoconfigure", null,
					(binder) -> Duration.ofSeconds(1), Map.of(), null);
		}

	}

}
