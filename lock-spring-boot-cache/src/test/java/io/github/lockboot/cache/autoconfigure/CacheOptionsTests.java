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
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.OnRedisError;
import io.github.lockboot.cache.OnWaitTimeout;

import static org.assertj.core.api.Assertions.assertThat;

class CacheOptionsTests {

	/** None of them is a default. */
	private static final Map<Class<?>, String> VALUES = Map.of(Duration.class, "77s", double.class, "0.77", int.class,
			"77", DataSize.class, "77B", OnWaitTimeout.class, "fail", OnRedisError.class, "fail");

	private static final String TYPES = "(Duration|[dD]ouble|int|Integer|DataSize|On\\w+)";

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
	void valueForAllCachesChangesThatSettingOnly(String option) {
		CacheProperties properties = bound(option, value(option));
		assertThat(changed(properties.settings("one"))).containsOnlyKeys(option);
	}

	@ParameterizedTest
	@MethodSource("options")
	void valueForOneCacheChangesThatSettingOnly(String option) {
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
