package io.github.lockboot.expression;

import java.util.Collection;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.util.Assert;
import org.springframework.util.ObjectUtils;
import org.springframework.util.StringUtils;

/**
 * Formats a value as the text of a key, the same text in every JVM.
 */
final class KeyFormatter {

	private KeyFormatter() {
	}

	/**
	 * Return the text of a value.
	 * @throws IllegalArgumentException if the value is {@code null}, blank, a collection
	 * of values, or has no text except its identity, which differs in every JVM
	 */
	static String format(@Nullable Object value) {
		Object single = unwrap(value);
		Assert.notNull(single, "is null");
		String text = (single instanceof Enum<?> constant) ? constant.name() : single.toString();
		Assert.isTrue(StringUtils.hasText(text), "is blank");
		if (!BeanUtils.isSimpleValueType(single.getClass())) {
			checkText(single, text);
		}
		return text;
	}

	private static @Nullable Object unwrap(@Nullable Object value) {
		Object single = ObjectUtils.unwrapOptional(value);
		if (single instanceof OptionalInt number) {
			return number.isPresent() ? number.getAsInt() : null;
		}
		if (single instanceof OptionalLong number) {
			return number.isPresent() ? number.getAsLong() : null;
		}
		if (single instanceof OptionalDouble number) {
			return number.isPresent() ? number.getAsDouble() : null;
		}
		return single;
	}

	private static void checkText(Object value, String text) {
		String several = several(value);
		Assert.isTrue(several == null,
				() -> "is " + several + " where one value is needed; only a whole key may be a collection or an array");
		Assert.isTrue(!text.equals(defaultText(value)), () -> "is a " + value.getClass().getName()
				+ " without a toString() of its own, which differs in every JVM; use one of its properties");
	}

	private static @Nullable String several(Object value) {
		if (value instanceof Collection) {
			return "a collection";
		}
		if (value instanceof Map) {
			return "a map";
		}
		return ObjectUtils.isArray(value) ? "an array" : null;
	}

	private static String defaultText(Object value) {
		return value.getClass().getName() + "@" + Integer.toHexString(value.hashCode());
	}

}
