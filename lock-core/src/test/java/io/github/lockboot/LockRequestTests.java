package io.github.lockboot;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Invalid requests, and the methods by which requests and defaults are changed.
 */
class LockRequestTests {

	private static final Map<Class<?>, Object> VALUES = Map.of(List.class, List.of("other"), String.class, "other",
			Duration.class, Duration.ofHours(1), Boolean.class, false, boolean.class, true, int.class, 7, Integer.class,
			7, OnLost.class, OnLost.THROW, LockRelease.class, LockRelease.CONFIRMED);

	@Test
	@NullUnmarked
	void missingNameIsRejectedWithAMessage() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of(null))
			.withMessage("The name of a lock must not be blank");
	}

	@Test
	void blankGroupIsRejectedBecauseItWouldBeATagOfMeters() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("order:42").group(" "))
			.withMessage("The group of lock 'order:42' must not be blank");
	}

	@Test
	void theShortestTimeOfAllIsRejectedWithItsValue() {
		Duration shortest = Duration.ofSeconds(Long.MIN_VALUE);
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("order:42").waitTime(shortest))
			.withMessage("The wait time of lock 'order:42' must not be negative but is " + shortest);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\u0000b", "a\ud83d", "\ude00b", "\ude00\ud83d" })
	void nameThatUtf8CannotEncodeIsRejectedBecauseItWouldShareALock(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of(name))
			.withMessageContaining("encode binary data in hexadecimal or Base64");
	}

	@Test
	void rejectionOfANameShowsTheName() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("a\u0000b"))
			.withMessageContaining("'a\\u0000b' has a NUL character at position 1");
	}

	@Test
	void nameThatAServerMightRefuseForItsLengthIsRejectedBecauseItWouldCloseTheConnectionOfAllCallers() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("x".repeat(10_001)))
			.withMessageContaining("must not be longer than 10000 characters but has 10001: 'xxx")
			.extracting((failure) -> String.valueOf(failure.getMessage()).length())
			.satisfies((length) -> assertThat(length).isLessThan(200));
	}

	@Test
	void nameMayContainAnyUnicodeCharacter() {
		assertThat(LockRequest.of("\u00fc\ud83d\ude00 \t").name()).isEqualTo("\u00fc\ud83d\ude00 \t");
	}

	@ParameterizedTest
	@CsvSource({ "PT1M30S, 1m30s", "PT9.998123456S, 9s998ms", "PT0.000000500S, 500ns", "PT-1S, -1s" })
	void aTimeIsShownWithoutWhatIsLessThanAMillisecondUnlessThatIsAll(Duration time, String shown) {
		assertThat(LockDefaults.text(time)).isEqualTo(shown);
	}

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
