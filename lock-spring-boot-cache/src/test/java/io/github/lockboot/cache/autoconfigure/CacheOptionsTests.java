package io.github.lockboot.cache.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.OnRedisError;
import io.github.lockboot.cache.OnWaitTimeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Options of caches: properties are bound, change one setting each, and values that no
 * cache could work with are rejected.
 */
class CacheOptionsTests {

	/** None of them is a default. */
	private static final Map<Class<?>, String> VALUES = Map.of(Duration.class, "77s", double.class, "0.77", int.class,
			"77", DataSize.class, "77B", OnWaitTimeout.class, "fail", OnRedisError.class, "fail");

	private static final String TYPES = "(Duration|[dD]ouble|int|Integer|DataSize|On\\w+)";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(CacheAnnotationsAutoConfiguration.class));

	/** All but the serializer, which is a bean. */
	static List<String> options() {
		return components(CacheSettings.class).map(RecordComponent::getName)
			.filter((name) -> !name.equals("serializer"))
			.toList();
	}

	@ParameterizedTest
	@MethodSource("options")
	void optionStandsInAtMostFourFilesBesideTheAnnotations(String option) throws IOException {
		Pattern use = Pattern.compile("with%s\\(|ettings(\\(\\))?\\.%s\\(|\\b%s %s\\b|\"%s\""
			.formatted(StringUtils.capitalize(option), option, TYPES, option, option));
		try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
			assertThat(files.filter((file) -> file.toString().endsWith(".java"))
				.filter((file) -> use.matcher(code(file)).find() && !code(file).contains("@interface")))
				.hasSizeBetween(3, 4);
		}
	}

	private static String code(Path file) {
		try {
			return Files.readString(file).replaceAll("(?s)/\\*.*?\\*/", "");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void defaultsOfThePropertiesAreThoseOfTheCode() {
		assertThat(bound("", "").settings("one")).isEqualTo(CacheSettings.defaults());
	}

	@ParameterizedTest
	@MethodSource("options")
	void valueForAllCachesOrForOneChangesThatSettingOnly(String option) {
		assertThat(changed(bound(option, value(option)).settings("one"))).containsOnlyKeys(option);
		CacheProperties properties = bound("caches.one." + option, value(option));
		assertThat(changed(properties.settings("one"))).containsOnlyKeys(option);
		assertThat(changed(properties.settings("another"))).isEmpty();
	}

	@Test
	void valueForOneCacheOverridesTheGeneralOne() {
		CacheProperties properties = new Binder(
				new MapConfigurationPropertySource(Map.of("lock.cache.ttl", "7s", "lock.cache.caches.one.ttl", "8s")))
			.bind("lock.cache", CacheProperties.class)
			.get();
		assertThat(properties.settings("one").ttl()).isEqualTo(Duration.ofSeconds(8));
		assertThat(properties.settings("another").ttl()).isEqualTo(Duration.ofSeconds(7));
	}

	@ParameterizedTest
	@MethodSource("options")
	void methodOfTheSettingsChangesThatSettingOnly(String option) {
		CacheSettings other = bound(option, value(option)).settings("one");
		Object value = changed(other).get(option);
		assertThat(Stream.of(CacheSettings.class.getMethods())
			.filter((method) -> method.getName().equals("with" + StringUtils.capitalize(option)))
			.map((method) -> ReflectionUtils.invokeMethod(method, CacheSettings.defaults(), value)))
			.containsExactly(other);
	}

	private static CacheProperties bound(String property, String value) {
		String name = "lock.cache." + DataObjectPropertyName.toDashedForm(property);
		return new Binder(new MapConfigurationPropertySource(property.isEmpty() ? Map.of() : Map.of(name, value)))
			.bindOrCreate("lock.cache", CacheProperties.class);
	}

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

	private static String value(String option) {
		return components(CacheSettings.class).filter((component) -> component.getName().equals(option))
			.map((component) -> VALUES.get(component.getType()))
			.findFirst()
			.orElseThrow();
	}

	private static Map<String, @Nullable Object> changed(CacheSettings settings) {
		Map<String, @Nullable Object> changed = new LinkedHashMap<>();
		components(CacheSettings.class).forEach((component) -> {
			Object value = ReflectionUtils.invokeMethod(component.getAccessor(), settings);
			Object before = ReflectionUtils.invokeMethod(component.getAccessor(), CacheSettings.defaults());
			if (value != null && !value.equals(before)) {
				changed.put(component.getName(), value);
			}
		});
		return changed;
	}

	private static Stream<RecordComponent> components(Class<?> type) {
		return Stream.of(type.getRecordComponents());
	}

}
