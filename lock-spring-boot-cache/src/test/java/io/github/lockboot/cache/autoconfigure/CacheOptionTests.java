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
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.unit.DataSize;

import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.OnRedisError;
import io.github.lockboot.cache.OnWaitTimeout;

import static org.assertj.core.api.Assertions.assertThat;

class CacheOptionTests {

	/** None of them is a default. */
	private static final Map<Class<?>, Object> VALUES = Map.of(Duration.class, Duration.ofSeconds(77), Double.class,
			0.77, Integer.class, 77, DataSize.class, DataSize.ofBytes(77), OnWaitTimeout.class, OnWaitTimeout.FAIL,
			OnRedisError.class, OnRedisError.FAIL);

	static List<CacheOption<?>> options() {
		return CacheOption.ALL;
	}

	@Test
	void eachSettingHasAnOptionExceptForTheSerializerWhichIsABean() {
		assertThat(CacheOption.ALL).map(CacheOptionTests::component)
			.containsExactlyElementsOf(
					components().map(RecordComponent::getName).filter((name) -> !name.equals("serializer")).toList());
	}

	@ParameterizedTest
	@MethodSource("options")
	void valueForAllCachesChangesThatSettingOnly(CacheOption<?> option) {
		CacheProperties properties = new CacheProperties();
		assertThat(changed(option.set(CacheSettings.defaults(), set(properties, option))))
			.containsOnlyKeys(component(option));
	}

	@ParameterizedTest
	@MethodSource("options")
	void valueForOneCacheChangesThatSettingOnly(CacheOption<?> option) {
		CacheProperties.Named properties = new CacheProperties.Named();
		assertThat(changed(option.set(CacheSettings.defaults(), set(properties, option))))
			.containsOnlyKeys(component(option));
	}

	@ParameterizedTest
	@MethodSource("options")
	void valueForOneCacheOverridesTheGeneralOne(CacheOption<?> option) {
		CacheProperties properties = new CacheProperties();
		properties.getCaches().put("one", set(new CacheProperties.Named(), option));
		assertThat(changed(CacheOption.settings(properties, "one"))).containsOnlyKeys(component(option));
		assertThat(changed(CacheOption.settings(properties, "another"))).isEmpty();
	}

	private static <T> T set(T properties, CacheOption<?> option) {
		BeanWrapper bean = new BeanWrapperImpl(properties);
		bean.setPropertyValue(option.property(),
				VALUES.get(bean.getPropertyDescriptor(option.property()).getPropertyType()));
		return properties;
	}

	private static Map<String, @Nullable Object> changed(CacheSettings settings) {
		Map<String, @Nullable Object> changed = new LinkedHashMap<>();
		components().forEach((component) -> {
			Object value = ReflectionUtils.invokeMethod(component.getAccessor(), settings);
			Object before = ReflectionUtils.invokeMethod(component.getAccessor(), CacheSettings.defaults());
			if (value != null && !value.equals(before)) {
				changed.put(component.getName(), value);
			}
		});
		return changed;
	}

	private static String component(CacheOption<?> option) {
		return option.property().replaceFirst("([mM])axSize$", "$1axBytes");
	}

	private static Stream<RecordComponent> components() {
		return Stream.of(CacheSettings.class.getRecordComponents());
	}

}
