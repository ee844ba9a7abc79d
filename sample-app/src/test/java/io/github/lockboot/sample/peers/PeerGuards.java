package io.github.lockboot.sample.peers;

import java.util.List;

import com.baomidou.lock.LockTemplate;
import com.baomidou.lock.executor.RedisTemplateLockExecutor;
import com.baomidou.lock.spring.boot.autoconfigure.Lock4jProperties;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.integration.redis.util.RedisLockRegistry;

import io.github.lockboot.sample.sale.SaleGuard;

/**
 * The guards of other libraries; {@code --sample.peers=false} leaves them out.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "sample.peers", matchIfMissing = true)
@Import(PeerShop.class)
class PeerGuards {

	@Bean(destroyMethod = "shutdown")
	@Lazy
	RedissonClient redisson(Environment environment) {
		Config config = new Config();
		config.useSingleServer()
			.setAddress("redis://" + environment.getProperty("spring.data.redis.host", "localhost") + ":"
					+ environment.getProperty("spring.data.redis.port", "6379"));
		return Redisson.create(config);
	}

	@Bean
	RedisLockRegistry lockRegistry(RedisConnectionFactory redis) {
		return new RedisLockRegistry(redis, "sale");
	}

	@Bean
	LockTemplate lock4j(StringRedisTemplate redis) {
		Lock4jProperties properties = new Lock4jProperties();
		LockTemplate template = new LockTemplate();
		template.setProperties(properties);
		template.setExecutors(List.of(new RedisTemplateLockExecutor(redis, properties)));
		return template;
	}

	@Bean
	@Order(5)
	SaleGuard redissonGuard(PeerShop shop) {
		return new SaleGuard("redisson", "With Redisson's RLock",
				"Waiters are notified of each release, and then compete for the lock.", "peers/PeerShop",
				"buyWithRedisson", shop::buyWithRedisson);
	}

	@Bean
	@Order(6)
	SaleGuard springIntegrationGuard(PeerShop shop) {
		return new SaleGuard("spring-integration", "With Spring Integration's RedisLockRegistry",
				"One waiter of each instance polls every 100 ms by default.", "peers/PeerShop",
				"buyWithSpringIntegration", shop::buyWithSpringIntegration);
	}

	@Bean
	@Order(7)
	SaleGuard lock4jGuard(PeerShop shop) {
		return new SaleGuard("lock4j", "With Lock4j's LockTemplate", "Each waiter polls every 100 ms.",
				"peers/PeerShop", "buyWithLock4j", shop::buyWithLock4j);
	}

}
