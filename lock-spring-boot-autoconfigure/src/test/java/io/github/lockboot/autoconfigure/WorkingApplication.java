package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;

/**
 * A JVM with threads that Spring does not manage. They compete for a few locks with each
 * other and with other such JVMs until it is stopped. The arguments are its name, and
 * host and port of Redis, where it counts the sections by that name.
 */
final class WorkingApplication {

	static final int LOCKS = 3;

	/** The name of a JVM that calls {@link System#exit} in a section. */
	static final String EXITING = "exiting";

	private static final int THREADS_EACH = 4;

	private final String name;

	private final LockOperations locks;

	private final StringRedisTemplate redis;

	private WorkingApplication(String name, LockOperations locks, StringRedisTemplate redis) {
		this.name = name;
		this.locks = locks;
		this.redis = redis;
	}

	public static void main(String[] arguments) {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Configured.class)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties("lock.lease-time=10m", "lock.shutdown.timeout=2m", "spring.data.redis.host=" + arguments[1],
					"spring.data.redis.port=" + arguments[2])
			.run();
		WorkingApplication application = new WorkingApplication(arguments[0], context.getBean(LockOperations.class),
				context.getBean(StringRedisTemplate.class));
		if (application.name.equals(EXITING)) {
			application.locks.execute("exit", () -> System.exit(7));
		}
		for (int number = 0; number < LOCKS * THREADS_EACH; number++) {
			String lock = "work-" + number % LOCKS;
			new Thread(() -> application.work(lock), "worker-" + number).start();
		}
	}

	private void work(String lock) {
		LockRequest request = LockRequest.of(lock).waitTime(Duration.ofMinutes(10));
		try {
			while (true) {
				this.locks.execute(request, () -> {
					count("begun", lock);
					LockSupport.parkNanos(Duration.ofMillis(20).toNanos()); // the work
					count("ended", lock);
				});
			}
		}
		catch (LockUnavailableException ex) {
			System.out.println(String.valueOf(ex.getMessage()).contains("the application is shutting down") ? "refused"
					: "failed " + ex);
		}
		catch (RuntimeException ex) {
			System.out.println("failed " + ex);
		}
	}

	private void count(String what, String lock) {
		this.redis.opsForValue().increment(this.name + ":" + what + ":" + lock);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, RedisLockAutoConfiguration.class,
			LockShutdownAutoConfiguration.class })
	static class Configured {

	}

}
