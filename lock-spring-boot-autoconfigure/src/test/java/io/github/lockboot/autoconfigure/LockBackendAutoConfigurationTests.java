package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.MockedConstruction;
import org.mockito.Mockito;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockOperations;
import io.github.lockboot.OnLost;
import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.local.LocalLockTemplate;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;
import io.github.lockboot.redis.connection.ConnectionSettings;
import io.github.lockboot.redis.redlock.RedlockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Choice of the backend. No Redis runs here: the tests check the settings of the Redis
 * template, not the template itself.
 */
class LockBackendAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(AutoConfigurations
		.of(DataRedisAutoConfiguration.class, RedisLockAutoConfiguration.class, LocalLockAutoConfiguration.class));

	@Test
	void redisIsTheDefaultAndUsesTheApplicationsConnectionFactory() {
		runWithRedisTemplate(this.runner, (arguments) -> {
			assertThat(arguments.get(0)).isEqualTo(new RedisStandaloneConfiguration());
			assertThat(arguments.get(2))
				.isEqualTo(RedisLockSettings.defaults().withLockDefaults(LockDefaults.defaults().withApplication("")));
			assertThat(arguments.get(3)).isEqualTo(List.of());
		});
	}

	@Test
	void propertiesApplyToTheRedisTemplate() {
		runWithRedisTemplate(
				this.runner.withPropertyValues("lock.key-prefix=shop:", "lock.wait-time=1s", "lock.lease-time=2s",
						"lock.on-lost=throw", "lock.redis.command-timeout=200ms", "lock.redis.foreign-clients=true",
						"lock.redis.min-replicas-acknowledged=1", "lock.redis.startup=retry"),
				(arguments) -> assertThat(arguments.get(2))
					.isEqualTo(new RedisLockSettings("shop:",
							new LockDefaults(Duration.ofSeconds(1), Duration.ofSeconds(2), OnLost.THROW)
								.withApplication(""),
							Duration.ofMillis(200), true, 1, RedisLockSettings.Startup.RETRY)));
	}

	@Test
	void nodesOfRedlockCreateARedlockTemplate() {
		List<Object> used = new ArrayList<>();
		try (MockedConstruction<RedlockTemplate> templates = Mockito.mockConstruction(RedlockTemplate.class,
				(template, construction) -> used.addAll(construction.arguments()))) {
			this.runner.withPropertyValues("lock.redis.redlock.nodes=a:1,b:2,c:3")
				.run((context) -> assertThat(context).hasNotFailed()
					.hasBean("redlockTemplate")
					.hasSingleBean(LockOperations.class)
					.hasSingleBean(RedlockTemplate.class));
			assertThat(templates.constructed()).hasSize(1);
		}
		assertThat(used.get(1)).isEqualTo(List.of("a:1", "b:2", "c:3"));
	}

	@Test
	void templateCallsListenersInTheirOrder() {
		runWithRedisTemplate(this.runner.withUserConfiguration(Listeners.class),
				(arguments) -> assertThat(arguments.get(3)).isEqualTo(List.of(Listeners.FIRST, Listeners.SECOND)));
	}

	@Test
	void connectionFactoryIsChosenByName() {
		runWithRedisTemplate(
				this.runner.withUserConfiguration(TwoFactories.class)
					.withPropertyValues("lock.redis.connection-factory=second"),
				(arguments) -> assertThat(arguments.get(0)).isEqualTo(new RedisStandaloneConfiguration("second", 2)));
	}

	@Test
	void nodesOfAStaticMasterApplyToTheRedisTemplate() {
		RedisStaticMasterReplicaConfiguration expected = masterReplica();
		expected.setUsername("ann");
		expected.setPassword("secret");
		runWithRedisTemplate(
				this.runner.withPropertyValues("spring.data.redis.masterreplica.nodes=a:1,b:2",
						"spring.data.redis.username=ann", "spring.data.redis.password=secret"),
				(arguments) -> assertThat(arguments.get(0)).usingRecursiveComparison().isEqualTo(expected));
	}

	@Test
	void aStaticMasterOfAFactoryOfTheApplicationIsTakenFromItsBean() {
		RedisStaticMasterReplicaConfiguration servers = masterReplica();
		runWithRedisTemplate(
				this.runner.withBean(RedisStaticMasterReplicaConfiguration.class, () -> servers)
					.withBean(LettuceConnectionFactory.class, () -> new LettuceConnectionFactory(servers)),
				(arguments) -> assertThat(arguments.get(0)).isSameAs(servers));
	}

	@Test
	void aStaticMasterWithoutABeanStopsTheStart() {
		this.runner.withBean(LettuceConnectionFactory.class, () -> new LettuceConnectionFactory(masterReplica()))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(LockSetupException.class,
						(failure) -> assertThat(failure.action()).contains("RedisStaticMasterReplicaConfiguration")));
	}

	private static RedisStaticMasterReplicaConfiguration masterReplica() {
		RedisStaticMasterReplicaConfiguration servers = new RedisStaticMasterReplicaConfiguration("a", 1);
		servers.addNode("b", 2);
		return servers;
	}

	/** The earlier the connection begins, the more beans are created meanwhile. */
	@Test
	void theTemplateIsCreatedBeforeTheBeansOfSpringBoot() {
		try (MockedConstruction<RedisLockTemplate> templates = Mockito.mockConstruction(RedisLockTemplate.class)) {
			this.runner.run((context) -> assertThat(context.getBeanFactory().getSingletonNames())
				.containsSubsequence("redisLockTemplate", "redisTemplate"));
			assertThat(templates.constructed()).hasSize(1);
		}
	}

	@Test
	void backsOffWithoutSpringDataRedis() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.data.redis"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockOperations.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis", "local" })
	void backsOffWhenUserDefinesOperationsWhichNeedNoLettuce(String backend) {
		this.runner.withPropertyValues("lock.backend=" + backend)
			.withBean("mine", LockOperations.class, RecordingLockOperations::new)
			.withClassLoader(new FilteredClassLoader(RedisClient.class))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(LockOperations.class).hasBean("mine"));
	}

	@Test
	void localBackendReplacesRedisAndDoesNotNeedIt() {
		this.runner.withPropertyValues("lock.backend=local")
			.withClassLoader(new FilteredClassLoader("org.springframework.data.redis"))
			.run((context) -> assertThat(context).hasSingleBean(LocalLockTemplate.class).hasBean("localLockTemplate"));
		this.runner.withPropertyValues("lock.backend=local")
			.run((context) -> assertThat(context).getBean(LockOperations.class).isInstanceOf(LocalLockTemplate.class));
	}

	@Test
	void disabledLocksHaveNoTemplate() {
		this.runner.withPropertyValues("lock.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockOperations.class));
		this.runner.withPropertyValues("lock.enabled=false", "lock.backend=local")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockOperations.class));
	}

	/** The arguments are server, client, settings and listeners. */
	private static void runWithRedisTemplate(ApplicationContextRunner runner, Consumer<List<Object>> arguments) {
		List<Object> used = new ArrayList<>();
		try (MockedConstruction<RedisLockTemplate> templates = Mockito.mockConstruction(RedisLockTemplate.class,
				(template, construction) -> {
					ConnectionSettings redis = (ConnectionSettings) construction.arguments().get(0);
					used.addAll(List.of(redis.server(), redis.client()));
					used.addAll(construction.arguments().subList(1, 3));
				})) {
			runner.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(RedisLockTemplate.class)
				.hasBean("redisLockTemplate"));
			assertThat(templates.constructed()).hasSize(1);
		}
		arguments.accept(used);
	}

	@Configuration(proxyBeanMethods = false)
	static class Listeners {

		static final LockListener FIRST = new LockListener() {
		};

		static final LockListener SECOND = new LockListener() {
		};

		@Bean
		@Order(2)
		LockListener a() {
			return SECOND;
		}

		@Bean
		@Order(1)
		LockListener b() {
			return FIRST;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoFactories {

		@Bean
		LettuceConnectionFactory first() {
			return new LettuceConnectionFactory("first", 1);
		}

		@Bean
		LettuceConnectionFactory second() {
			return new LettuceConnectionFactory("second", 2);
		}

	}

}
