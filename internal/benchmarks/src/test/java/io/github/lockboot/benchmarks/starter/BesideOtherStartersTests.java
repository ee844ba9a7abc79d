package io.github.lockboot.benchmarks.starter;

import java.time.Duration;
import java.util.stream.Stream;

import com.baomidou.lock.LockInfo;
import com.baomidou.lock.LockTemplate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RedissonClient;
import org.redisson.spring.data.connection.RedissonConnectionFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * An application with the starter of another library as well: it starts, and both
 * libraries lock.
 */
@Tag("long")
@RedisTest
class BesideOtherStartersTests {

	private static final String LOCK4J = "com.baomidou.lock.spring.boot.autoconfigure.LockAutoConfiguration,"
			+ "com.baomidou.lock.spring.boot.autoconfigure.RedisTemplateLockAutoConfiguration";

	private static final String REDISSON = "org.redisson.spring.starter.RedissonAutoConfigurationV4";

	private final RedisServer redis;

	BesideOtherStartersTests(RedisServer redis) {
		this.redis = redis;
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis", "local" })
	void startsBesideLock4j(String backend) {
		try (ConfigurableApplicationContext context = start(Application.class, REDISSON, "--lock.backend=" + backend)) {
			LockTemplate lock4j = context.getBean("lockTemplate", LockTemplate.class);
			LockInfo lock = lock4j.lock("lock4j", 10_000, 1_000);
			lock4j.releaseLock(lock);
			assertThatLocksAreAcquired(context);
		}
	}

	@Test
	void startsBesideRedissonWithAConnectionFactoryOfLettuceForTheLocks() {
		try (ConfigurableApplicationContext context = start(WithLettuceForTheLocks.class, LOCK4J,
				"--lock.redis.connection-factory=lockConnectionFactory")) {
			assertThat(context.getBean(RedisConnectionFactory.class)).isInstanceOf(RedissonConnectionFactory.class);
			assertThat(context.getBean(StringRedisTemplate.class).hasKey("free")).isFalse();
			context.getBean(RedissonClient.class).getLock("redisson").lock();
			assertThatLocksAreAcquired(context);
		}
	}

	@Test
	void startsBesideRedissonWithoutItsConnectionFactory() {
		try (ConfigurableApplicationContext context = start(WithLettuceForAll.class, LOCK4J)) {
			assertThat(context.getBean(StringRedisTemplate.class).hasKey("free")).isFalse();
			context.getBean(RedissonClient.class).getLock("redisson").lock();
			assertThatLocksAreAcquired(context);
		}
	}

	@Test
	void startsBesideRedissonWithoutAnyConfiguration() {
		try (ConfigurableApplicationContext context = start(Application.class, LOCK4J)) {
			assertThat(context.getBean(RedisConnectionFactory.class)).isInstanceOf(RedissonConnectionFactory.class);
			context.getBean(RedissonClient.class).getLock("redisson").lock();
			assertThatLocksAreAcquired(context);
			assertThat(context.getBean(RedissonClient.class).getKeys().countExists("lock:{ours}")).isZero();
		}
	}

	@Test
	void serversThatOnlyRedissonKnowsAreNotGuessed() {
		String redisson = "singleServerConfig: {address: \"redis://" + this.redis.host() + ":" + this.redis.port()
				+ "\"}";
		assertThatException()
			.isThrownBy(() -> start(Application.class, LOCK4J, "--spring.redis.redisson.config=" + redisson).close())
			.withStackTraceContaining("is a org.redisson.spring.data.connection.RedissonConnectionFactory");
	}

	private static void assertThatLocksAreAcquired(ConfigurableApplicationContext context) {
		LockOperations locks = context.getBean(LockOperations.class);
		try (LockHandle handle = locks.acquire("ours")) {
			assertThat(locks.tryAcquire(LockRequest.of("ours").waitTime(Duration.ZERO))).isNull();
			assertThat(handle.isHeld()).isTrue();
		}
	}

	private ConfigurableApplicationContext start(Class<?> application, String excluded, String... arguments) {
		String[] all = Stream.concat(
				Stream.of("--spring.autoconfigure.exclude=" + excluded, "--spring.data.redis.host=" + this.redis.host(),
						"--spring.data.redis.port=" + this.redis.port(), "--logging.level.root=warn"),
				Stream.of(arguments))
			.toArray(String[]::new);
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE).run(all);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WithLettuceForTheLocks {

		@Bean(defaultCandidate = false)
		LettuceConnectionFactory lockConnectionFactory(DataRedisProperties redis) {
			return lettuce(redis);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WithLettuceForAll {

		@Bean
		LettuceConnectionFactory redisConnectionFactory(DataRedisProperties redis) {
			return lettuce(redis);
		}

	}

	private static LettuceConnectionFactory lettuce(DataRedisProperties redis) {
		return new LettuceConnectionFactory(new RedisStandaloneConfiguration(redis.getHost(), redis.getPort()));
	}

}
