package io.github.lockboot.cache.autoconfigure;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Properties of the cache are bound, and values that no cache could work with are
 * rejected.
 */
class CachePropertiesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(CacheAnnotationsAutoConfiguration.class));

	@ParameterizedTest
	@CsvSource({ "lock.cache.key-prefix, a{, key-prefix", "lock.cache.command-timeout, 0, command-timeout",
			"lock.cache.snapshot-window, 1s, snapshot-window", "lock.cache.snapshot-window, 500d, snapshot-window",
			"lock.cache.command-timeout, 500d, command-timeout", "lock.cache.ttl, 0, ttl",
			"lock.cache.null-ttl, -1s, null-ttl", "lock.cache.stale-ttl, -1s, stale-ttl",
			"lock.cache.jitter, 1, jitter", "lock.cache.refresh-ahead, -1, refresh-ahead",
			"lock.cache.local-ttl, -1s, local-ttl", "lock.cache.local-outage-ttl, -1s, local-outage-ttl",
			"lock.cache.local-max, 0, local-max", "lock.cache.local-max-size, -1B, local-max-size",
			"lock.cache.lease, 1ms, lease", "lock.cache.wait-timeout, -1s, wait-timeout",
			"lock.cache.max-size, -1B, max-size", "lock.cache.max-size, 3GB, max-size",
			"lock.cache.caches.price.ttl, 0, caches[price].ttl",
			"lock.cache.caches[a.b].max-size, 0B, caches[a.b].max-size" })
	void invalidValueStopsTheStartAndNamesItsProperty(String property, String value, String field) {
		this.runner.withPropertyValues(property + "=" + value).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).rootCause().isInstanceOf(BindValidationException.class);
			assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("on field '" + field + "'");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "command-timeout", "snapshot-window", "ttl" })
	void invalidTimeIsReportedAsWritten(String property) {
		this.runner.withPropertyValues("lock.cache." + property + "=-1s")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining(" is -1s]")
				.hasMessageNotContaining(" is PT"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "end-of-day", "endOfDay", "end.of.day", "endofday" })
	void settingsInVariablesAreFoundUnderTheNameOfTheAnnotation(String name) {
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment",
						Map.of("LOCK_CACHE_CACHES_ENDOFDAY_TTL", "7s"))))
			.run((context) -> assertThat(context.getBean(CacheProperties.class).settings(name).ttl())
				.isEqualTo(Duration.ofSeconds(7)));
	}

}
