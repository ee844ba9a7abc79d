package io.github.lockboot.sample.redis;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import redis.embedded.RedisExecProvider;

/**
 * Provides a Redis before the application needs one. If {@code spring.data.redis.*}
 * configures one, it does nothing. Otherwise the first instance starts a server on
 * {@code sample.redis.port}, and every later instance uses it. The server ends with the
 * instance that started it.
 */
public class EmbeddedRedis implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	private static final Set<String> PLACES = Set.of("host", "port", "url", "username", "password", "sentinel",
			"cluster", "masterreplica");

	private static final Duration PATIENCE = Duration.ofSeconds(10);

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
			start(port);
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

	private void start(int port) {
		Process server = launch(port);
		// after the application is closed, which still sends commands to Redis
		SpringApplication.getShutdownHandlers().add(server::destroy);
		if (awaitAnswer(port) == server.pid()) {
			this.log.info("No Redis is configured: started one on port " + port + "; it ends with this instance");
		}
		else {
			this.log.info("Using the Redis that another instance started at this moment on port " + port);
		}
	}

	private Process launch(int port) {
		try {
			File executable = RedisExecProvider.defaultProvider().get();
			return new ProcessBuilder(executable.getPath(), "--port", String.valueOf(port), "--bind", "127.0.0.1",
					"--save", "", "--appendonly", "no")
				.directory(executable.getParentFile())
				.redirectOutput(Redirect.DISCARD)
				.redirectErrorStream(true)
				.start();
		}
		catch (IOException | IllegalArgumentException ex) {
			throw new IllegalStateException(
					"No Redis could be started on this machine; start one and set spring.data.redis.host", ex);
		}
	}

	private long awaitAnswer(int port) {
		long start = System.nanoTime();
		while (System.nanoTime() - start < PATIENCE.toNanos()) {
			OptionalLong pid = RedisProcess.answeringOn(port);
			if (pid.isPresent()) {
				return pid.getAsLong();
			}
			LockSupport.parkNanos(20_000_000);
		}
		throw new IllegalStateException("No Redis answers on port " + port + " after " + PATIENCE.toSeconds()
				+ " s; is the port used by another program? Set sample.redis.port or spring.data.redis.host");
	}

}
