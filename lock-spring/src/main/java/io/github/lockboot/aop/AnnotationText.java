package io.github.lockboot.aop;

import java.time.Duration;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;
import org.springframework.util.StringValueResolver;

import io.github.lockboot.Internal;

/**
 * Reads the attributes of an annotation and resolves their placeholders. An attribute
 * that cannot be read causes an {@link IllegalArgumentException}.
 *
 * @param subject subject of messages that continue with "has the ..."; empty, or "it "
 */
@Internal
public record AnnotationText(MergedAnnotation<?> annotation, StringValueResolver placeholders, String subject) {

	/** Return the name of the annotation in messages. */
	public String type() {
		return "@" + this.annotation.getType().getSimpleName();
	}

	/** Return whether an attribute is set. */
	public boolean has(String attribute) {
		return !written(attribute).isEmpty();
	}

	public boolean flag(String attribute) {
		return this.annotation.getBoolean(attribute);
	}

	/** Return a text with its placeholders, for an expression. */
	public String written(String attribute) {
		return this.annotation.getString(attribute);
	}

	/** Return a text with its placeholders resolved. */
	public String text(String attribute) {
		return resolve(written(attribute), this.placeholders);
	}

	/** Resolve the placeholders of a text. */
	public static String resolve(String text, StringValueResolver placeholders) {
		String resolved = text.isEmpty() ? text : placeholders.resolveStringValue(text);
		return (resolved != null) ? resolved : "";
	}

	/**
	 * Return a duration, or {@code null} if the attribute is not set. Spring reads a time
	 * without a unit as milliseconds, which hardly anybody means; only zero needs none.
	 */
	public @Nullable Duration duration(String attribute) {
		Duration duration = parsed(attribute, DurationFormatterUtils::detectAndParse,
				"a duration. Write for example 500ms, 3s or PT1M");
		String text = text(attribute).trim();
		Assert.isTrue(duration == null || duration.isZero() || !text.matches("[+-]?\\d+"),
				() -> this.subject + "has the " + attribute + " '" + text + "' without a unit: write " + text
						+ "ms for milliseconds, or " + text + "s for seconds");
		return duration;
	}

	/** Return a number, or {@code null} if the attribute is not set. */
	public @Nullable Double number(String attribute) {
		return parsed(attribute, Double::valueOf, "a number");
	}

	private <T> @Nullable T parsed(String attribute, Function<String, T> parser, String kind) {
		String text = text(attribute).trim();
		try {
			return text.isEmpty() ? null : parser.apply(text);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					this.subject + "has the " + attribute + " '" + text + "', which is not " + kind, ex);
		}
	}

	/** Return the only constant of an array, or {@code null} if the array is empty. */
	public <E extends Enum<E>> @Nullable E one(String attribute, Class<E> type) {
		E[] values = this.annotation.getEnumArray(attribute, type);
		Assert.isTrue(values.length <= 1, () -> this.subject + "has more than one value of " + attribute);
		return (values.length == 1) ? values[0] : null;
	}

}
