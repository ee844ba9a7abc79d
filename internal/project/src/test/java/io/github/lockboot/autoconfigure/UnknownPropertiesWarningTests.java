package io.github.lockboot.autoconfigure;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import io.github.lockboot.docs.Metadata;
import io.github.lockboot.redis.RedisLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Unknown properties are reported.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertiesWarningTests {

	private static final String WARNING = "Unknown property";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(DistributedLockAutoConfiguration.class, LocalLockAutoConfiguration.class))
		.withPropertyValues("lock.backend=local");

	@ParameterizedTest
	@CsvSource({ "lock.wait-tim, lock.wait-time", "lock.waitTme, lock.wait-time", "lock.lease, lock.lease-time",
			"lock.redis.comand-timeout, lock.redis.command-timeout",
			"lock.rdis.command-timeout, lock.redis.command-timeout",
			"lock.min-replicas-acknowledged, lock.redis.min-replicas-acknowledged", "lock.prefix, lock.key-prefix",
			"lock.locks.order.waittimes, lock.locks.order.wait-time",
			"lock.locks.my.name.wait-time, lock.locks[my.name].wait-time",
			"lock.locks[my.name].wait-tim, lock.locks[my.name].wait-time", "lock.wait.time, lock.wait-time",
			"lock.cache.caches.page.tll, lock.cache.caches.page.ttl",
			"lock.redis.redlock.node[0], lock.redis.redlock.nodes",
			"lock.min-hold-time, lock.locks.<name>.min-hold-time", "lock.permits, lock.locks.<name>.permits" })
	void theNearestNameIsSuggested(String unknown, String nearest, CapturedOutput output) {
		warn(unknown, "1s");
		assertThat(output).contains(WARNING).contains("did you mean '" + nearest + "'?");
	}

	@Test
	void aNameWithoutASimilarOneIsReportedToo(CapturedOutput output) {
		warn("lock.retries", "1s");
		assertThat(output).contains(WARNING + " 'lock.retries'").contains("is ignored");
	}

	@ParameterizedTest
	@ValueSource(strings = { "lock.waitTime=1s", "lock.wait_time=1s", "LOCK.WAIT-TIME=1s",
			"lock.locks.end-of-day.wait-time=1s", "lock.locks[my.name].wait-time=1s", "lock.cache.caches.page.ttl=1s",
			"lock.redis.redlock.nodes[0]=a:1", "lock.locks.order=", "lock4j.expire=1", "locks.file=x",
			"my.lock.file=x" })
	void knownPropertiesAreNotReported(String property, CapturedOutput output) {
		String[] parts = property.split("=", 2);
		warn(parts[0], parts[1]);
		assertThat(output).doesNotContain(WARNING);
	}

	@ParameterizedTest
	@CsvSource({ "LOCK_WAITTIM, LOCK_WAITTIME", "LOCK_WAIT_TIM, LOCK_WAITTIME",
			"LOCK_LOCKS_ENDOFDAY_WAITTIMES, LOCK_LOCKS_ENDOFDAY_WAITTIME",
			"LOCK_LOCKS_END_OF_DAY_WAITTIME, LOCK_LOCKS_ENDOFDAY_WAITTIME",
			"LOCK_REDIS_COMANDTIMEOUT, LOCK_REDIS_COMMANDTIMEOUT" })
	void typosInVariablesAreReported(String variable, String meant, CapturedOutput output) {
		warn(variable, "1s");
		assertThat(output).contains(variable).contains("did you mean '" + meant + "'?");
	}

	@ParameterizedTest
	@ValueSource(strings = { "LOCK_FILE", "LOCK_DIR", "LOCK_PORT", "LOCK_PORT_6379_TCP_ADDR", "LOCK_SERVICE_HOST",
			"LOCK", "LOCK_TIMEOUT", "LOCK_REDIS_HOST", "LOCK_CACHE_DIR", "LOCK_WAITTIME", "LOCK_WAIT_TIME",
			"LOCK_REDIS_COMMAND_TIMEOUT", "LOCK_REDIS_REDLOCK_NODES_0_", "LOCK_REDIS_REDLOCK_NODES_0",
			"LOCK_LOCKS_ENDOFDAY_WAITTIME", "LOCK_LOCKS_ENDOFDAY_WAIT_TIME", "LOCK_CACHE_CACHES_PAGE_STALE_TTL",
			"LOCKDOWN" })
	void otherVariablesAreNotReported(String variable, CapturedOutput output) {
		warn(variable, "1s");
		assertThat(output).doesNotContain(WARNING);
	}

	@ParameterizedTest
	@CsvSource({ "jdbc, lock.redis.commandTimeout, true", "zookeeper, lock.jdbc.table, true",
			"redis, lock.zookeeper.root, true", "jdbc, lock.jdbc.table, false",
			"jdbc, lock.redis.connection-factory, false", "jdbc, lock.redis.redlock.nodes[0], false",
			"jdbc, lock.redis.min-replicas-acknowledged, false", "local, lock.redis.command-timeout, false" })
	void propertiesOfAStoreThatIsNotUsedAreReported(String backend, String property, boolean reported,
			CapturedOutput output) {
		warn(Map.of("lock.backend", backend, property, "1s"), new DefaultListableBeanFactory());
		assertThat(output.toString().contains("does not apply, because lock.backend is " + backend))
			.isEqualTo(reported);
	}

	@ParameterizedTest
	@CsvSource({ "lock.lease-time, 30, 'is read as 30ms: write 30ms, or 30s for seconds'",
			"lock.lease-time, 500ms, 'is read as 500ms: a JVM that pauses for longer loses its lease'",
			"lock.lease-time, PT0.2S, 'is read as 200ms: a JVM'", "LOCK_LEASETIME, 30, 'is read as 30ms: write 30ms'",
			"lock.locks.order.lease-time, ${number:20}, 'is read as 20ms: write 20ms'",
			"lock.locks[my.name].wait-time, 5, 'is read as 5ms: write 5ms'",
			"LOCK_LOCKS_ORDER_WAIT_TIME, 5, 'is read as 5ms: write 5ms'",
			"lock.cache.lease, 3, 'is read as 3ms: write'", "lock.cache.caches.page.ttl, 10, 'is read as 10ms: write'",
			"lock.redis.command-timeout, 7, 'is read as 7ms'", "lock.lease-time, 1s,", "lock.lease-time, 30000,",
			"lock.wait-time, 0,", "lock.wait-time, 100ms,", "lock.wait-time, soon,", "lock.locks.order.permits, 3,",
			"lock.max-waiting, 3," })
	void aTimeThatWasProbablyMeantInAnotherUnitIsReported(String property, String value, @Nullable String expected,
			CapturedOutput output) {
		warn(property, value);
		if (expected != null) {
			assertThat(output).contains("Property '").contains(expected);
		}
		else {
			assertThat(output).doesNotContain("is read as");
		}
	}

	@ParameterizedTest
	@CsvSource({ "spring.redis.host, true", "SPRING_REDIS_PASSWORD, true", "spring.redis.sentinel.master, true",
			"spring.data.redis.host, false", "spring.redis.redisson.config, false" })
	void propertiesOfSpringBoot2AreReported(String property, boolean reported, CapturedOutput output) {
		warn(property, "x");
		assertThat(
				output.toString().contains("is that of Spring Boot 2 and is ignored: rename it to spring.data.redis."))
			.isEqualTo(reported);
	}

	private static void warn(String property, String value) {
		warn(Map.of(property, value), new DefaultListableBeanFactory());
	}

	/** Names without a dot are those of variables. */
	private static void warn(Map<String, Object> properties, DefaultListableBeanFactory beans) {
		StandardEnvironment environment = new StandardEnvironment();
		boolean file = properties.keySet().stream().allMatch((name) -> name.contains("."));
		environment.getPropertySources()
			.addFirst(file ? new MapPropertySource("file", properties)
					: new SystemEnvironmentPropertySource("test-systemEnvironment", properties));
		new UnknownPropertiesWarning(environment).postProcessBeanFactory(beans);
	}

	@Test
	void propertiesOfTheStoreOfAFurtherTemplateAreNotReported(CapturedOutput output) {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerBeanDefinition("second", new RootBeanDefinition(RedisLockTemplate.class));
		warn(Map.of("lock.backend", "jdbc", "lock.redis.command-timeout", "1s", "lock.zookeeper.root", "/a"), beans);
		assertThat(output).doesNotContain("lock.redis.command-timeout").contains("lock.zookeeper.root");
	}

	@Test
	void propertiesOfAnotherClassAreNotReported(CapturedOutput output) {
		this.runner.withUserConfiguration(Others.class).withPropertyValues("lock.door.colour=red").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).doesNotContain(WARNING);
		});
	}

	@Test
	void aPropertyThatWouldSwitchASectionOffIsReportedIfThereIsNone(CapturedOutput output) {
		this.runner.withPropertyValues("lock.leader.enabled=false", "lock.leader.rols=reports").run((context) -> {
		});
		assertThat(output).contains(WARNING + " 'lock.leader.enabled'").contains(WARNING + " 'lock.leader.rols'");
	}

	@Test
	void propertiesOfADisabledCacheAreNotReported(CapturedOutput output) {
		warn(Map.of("lock.cache.enabled", "off", "lock.cache.tll", "1s"), new DefaultListableBeanFactory());
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void documentedPropertiesAreKnown() {
		List<String> maps = List.of("lock.locks", "lock.cache.caches", "lock.zookeeper.client-properties");
		List<String> documented = Metadata.properties()
			.stream()
			.map(Metadata.Property::name)
			.filter((name) -> name.startsWith("lock.") && !maps.contains(name))
			.toList();
		assertThat(new KnownProperties(UnknownPropertiesWarning.types((feature) -> true)).names())
			.filteredOn((name) -> !name.contains("*"))
			.containsExactlyInAnyOrderElementsOf(documented);
	}

	@Test
	void aPropertyOfAFileIsReportedEvenIfAVariableHasItsName(CapturedOutput output) {
		this.runner.withPropertyValues("lock.cache.dir=x")
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of("LOCK_CACHE_DIR", "y"))))
			.run((context) -> assertThat(output).contains(WARNING + " 'lock.cache.dir'"));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(Door.class)
	static class Others {

	}

	@ConfigurationProperties("lock.door")
	static class Door {

	}

}
