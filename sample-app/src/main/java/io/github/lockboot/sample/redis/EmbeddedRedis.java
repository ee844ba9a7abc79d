package io.github.lockboot.sample.redis;

import java.util.Collections;
import java.util.Map;
import java.util.Set;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Provides a Redis before the application needs one. If {@code spring.data.redis.*}
 * configures a Redis, this class does nothing. Otherwise the first instance starts a
 * server on {@code sample.redis.port}, and every later instance uses it. The server ends
 * with the instance that started it. There it is a bean.
 */
public class EmbeddedRedis implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	private static final Set<String> PLACES = Set.of("host", "port", "url", "username", "password", "sentinel",
			"cluster", "masterreplica");

	private final Log log = LogFactory.getLog(EmbeddedRedis.class);

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		ConfigurableEnvironment environment = context.getEnvironment();
		if (isConfigured(environment)) {
			this.log.info("Using the Redis of spring.data.redis.*");
			return;
		}
		int port = environment.getProperty("sample.redis.port", Integer.class, 16379);
		if (RedisProcess.answeringOn(port).isPresent()) {
			this.log.info("Using the Redis that another instance started on port " + port);
		}
		else {
			start(port, context);
		}
		environment.getPropertySources()
			.addFirst(new MapPropertySource("embeddedRedis",
					Map.of("spring.data.redis.host", "127.0.0.1", "spring.data.redis.port", port)));
	}

	private boolean isConfigured(ConfigurableEnvironment environment) {
		Map<String, Object> properties = Binder.get(environment)
			.bind("spring.data.redis", Bindable.mapOf(String.class, Object.class))
			.orElse(Map.of());
		return !Collections.disjoint(properties.keySet(), PLACES);
	}

	private void start(int port, ConfigurableApplicationContext context) {
		RedisServer server = new RedisServer(port);
		// after the application is closed, which still sends commands to Redis
		SpringApplication.getShutdownHandlers().add(server::close);
		if (server.awaitAnswer()) {
			context.getBeanFactory().registerSingleton("redisServer", server);
			this.log.info("No Redis is configured: started one on port " + port + "; it ends with this instance");
		}
		else {
			this.log.info("Using the Redis that another instance started at this moment on port " + port);
		}
	}

}
