package io.github.lockboot.autoconfigure;

import java.util.List;

import org.mockito.Mockito;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;

import io.github.lockboot.fixture.RedisServer;

/**
 * Runners of applications with locks and annotated methods.
 */
public final class LockRunners {

	private LockRunners() {
	}

	/** Return a runner of applications whose locks are in memory. */
	public static ApplicationContextRunner local(Class<?>... further) {
		return new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(DistributedLockAutoConfiguration.class, LocalLockAutoConfiguration.class))
			.withConfiguration(AutoConfigurations.of(further))
			.withPropertyValues("lock.backend=local");
	}

	/** Return a runner of applications whose locks are in Redis. */
	public static ApplicationContextRunner redis(RedisServer redis, Class<?>... further) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, RedisLockAutoConfiguration.class,
					DistributedLockAutoConfiguration.class))
			.withConfiguration(AutoConfigurations.of(further))
			.withPropertyValues("spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port());
	}

	/** Return a scheduler whose jobs a test runs. */
	public static TaskScheduler handDriven(List<Runnable> jobs) {
		TaskScheduler scheduler = Mockito.mock(TaskScheduler.class);
		Mockito.when(scheduler.schedule(Mockito.any(), Mockito.any(Trigger.class))).thenAnswer((call) -> {
			jobs.add(call.getArgument(0));
			return null;
		});
		return scheduler;
	}

	/** Return the keys that are left in Redis, except for those of tokens. */
	static List<String> keys(RedisServer redis) {
		return redis.list("KEYS", "lock:{*").stream().filter((key) -> !key.endsWith(":f")).toList();
	}

}
