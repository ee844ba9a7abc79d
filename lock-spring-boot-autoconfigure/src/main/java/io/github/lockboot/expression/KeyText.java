package io.github.lockboot.expression;

import java.util.Collection;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.util.Assert;
import org.springframework.util.ObjectUtils;
import org.springframework.util.StringUtils;

/**
 * Turns a value into the text of a key, the same text in every JVM.
 */
final class KeyText {

	private KeyText() {
	}

	/**
	 * Return the text of a value.
	 * @param value what an expression gave
	 * @return the text, not blank
	 * @throws IllegalArgumentException if the value is {@code null}, blank, several
	 * values, or has no text but its identity, which differs in every JVM
	 */
	static String of(@Nullable Object value) {
		Object single = ObjectUtils.unwrapOptional(value);
		Assert.notNull(single, "is null");
		String text = (single instanceof Enum<?> constant) ? constant.name() : single.toString();
		Assert.isTrue(StringUtils.hasText(text), "is blank");
		if (!BeanUtils.isSimpleValueType(single.getClass())) {
			checkText(single, text);
		}
		return text;
	}

	private static void checkText(Object value, String text) {
		boolean several = value instanceof Collection || value instanceof Map || ObjectUtils.isArray(value);
		Assert.isTrue(!several, () -> "has a " + value.getClass().getSimpleName()
				+ " where one value is needed; only a whole key may be a collection");
		Assert.isTrue(!text.equals(defaultText(value)), () -> "is a " + value.getClass().getName()
				+ " without a toString() of its own, which differs in every JVM; use one of its properties");
	}

	private static String defaultText(Object value) {
		return value.getClass().getName() + "@" + Integer.toHexString(value.hashCode());
	}

}
