package io.github.lockboot;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The methods by which requests and defaults are changed.
 */
class ChangedComponentTests {

	private static final Map<Class<?>, Object> VALUES = Map.of(List.class, List.of("other"), String.class, "other",
			Duration.class, Duration.ofHours(1), Boolean.class, false, boolean.class, true, int.class, 7, Integer.class,
			7, OnLost.class, OnLost.THROW, LockRelease.class, LockRelease.CONFIRMED);

	@Test
	void eachMethodOfARequestChangesItsComponentOnly() {
		assertEachChangesItsComponent(LockRequest.of("order:42"), (component) -> component);
	}

	@Test
	void eachMethodOfDefaultsChangesItsComponentOnly() {
		assertEachChangesItsComponent(LockDefaults.defaults(),
				(component) -> "with" + StringUtils.capitalize(component));
	}

	private static void assertEachChangesItsComponent(Record record, UnaryOperator<String> method) {
		RecordComponent[] components = record.getClass().getRecordComponents();
		for (RecordComponent changed : components) {
			Object value = VALUES.get(changed.getType());
			Class<?> parameter = (changed.getType() == List.class) ? Collection.class : changed.getType();
			Object other = ReflectionUtils.invokeMethod(
					ClassUtils.getMethod(record.getClass(), method.apply(changed.getName()), parameter), record, value);
			for (RecordComponent component : components) {
				assertThat(value(component, other)).as(component.getName() + " after a change of " + changed.getName())
					.isEqualTo((component == changed) ? value : value(component, record));
			}
		}
	}

	private static @Nullable Object value(RecordComponent component, @Nullable Object record) {
		return ReflectionUtils.invokeMethod(component.getAccessor(), record);
	}

}
