package io.github.lockboot.cache.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.unit.DataSize;

import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.OnRedisError;
import io.github.lockboot.cache.OnWaitTimeout;

import static org.assertj.core.api.Assertions.assertThat;

class CacheOptionsTests {

	/** None of them is a default. */
	private static final Map<Class<?>, String> VALUES = Map.of(Duration.class, "77s", Double.class, "0.77",
			Integer.class, "77", DataSize.class, "77B", OnWaitTimeout.class, "fail", OnRedisError.class, "fail");

	static List<CacheOptions.Setting<?>> options() {
		return CacheOptions.SETTINGS;
	}

	@Test
	void eachSettingHasAnOptionExceptForTheSerializerWhichIsABean() {
		assertThat(options()).map(CacheOptionsTests::component)
			.containsExactlyElementsOf(components(CacheSettings.class).map(RecordComponent::getName)
				.filter((name) -> !name.equals("serializer"))
				.toList());
	}

	@Test
	void defaultsOfThePropertiesAreThoseOfTheCode() {
		assertThat(bound("", "").settings("one")).isEqualTo(CacheSettings.defaults());
	}

	@ParameterizedTest
	@MethodSource("options")
	void valueForAllCachesChangesThatSettingOnly(CacheOptions.Setting<?> option) {
		CacheProperties properties = bound(option.property(), value(option));
		assertThat(changed(properties.settings("one"))).containsOnlyKeys(component(option));
	}

	@ParameterizedTest
	@MethodSource("options")
	void valueForOneCacheChangesThatSettingOnly(CacheOptions.Setting<?> option) {
		CacheProperties properties = bound("caches.one." + option.property(), value(option));
		assertThat(changed(properties.settings("one"))).containsOnlyKeys(component(option));
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

	private static CacheProperties bound(String property, String value) {
		String name = "lock.cache." + DataObjectPropertyName.toDashedForm(property);
		return new Binder(new MapConfigurationPropertySource(property.isEmpty() ? Map.of() : Map.of(name, value)))
			.bindOrCreate("lock.cache", CacheProperties.class);
	}

	private static String value(CacheOptions.Setting<?> option) {
		return components(CacheOptions.class).filter((component) -> component.getName().equals(option.property()))
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

	private static String component(CacheOptions.Setting<?> option) {
		return option.property().replaceFirst("([mM])axSize$", "$1axBytes");
	}

	private static Stream<RecordComponent> components(Class<?> type) {
		return Stream.of(type.getRecordComponents());
	}

}
