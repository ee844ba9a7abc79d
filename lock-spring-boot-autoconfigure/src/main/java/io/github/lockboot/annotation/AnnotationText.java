package io.github.lockboot.annotation;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;
import org.springframework.util.StringValueResolver;

/**
 * Reads the attributes of an annotation as they are written, and resolves their
 * placeholders.
 *
 * @param annotation the annotation
 * @param placeholders resolves <code>${}</code>
 */
record AnnotationText(MergedAnnotation<DistributedLock> annotation, StringValueResolver placeholders) {

	boolean has(String attribute) {
		return !this.annotation.getString(attribute).isEmpty();
	}

	String text(String attribute) {
		String written = this.annotation.getString(attribute);
		String resolved = written.isEmpty() ? written : this.placeholders.resolveStringValue(written);
		return (resolved != null) ? resolved : "";
	}

	@Nullable Duration duration(String attribute, @Nullable Duration other) {
		String text = text(attribute).trim();
		if (text.isEmpty()) {
			return other;
		}
		try {
			return DurationFormatterUtils.detectAndParse(text);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"its " + attribute + " '" + text + "' is not a duration; write for example 500ms, 3s or PT1M", ex);
		}
	}

	/** Where a duration comes from, for messages. */
	String source(String attribute, String property, @Nullable Duration value) {
		return has(attribute) ? "its " + attribute + " '" + text(attribute) + "'"
				: "the " + DurationFormatterUtils.print(Objects.requireNonNull(value), DurationFormat.Style.COMPOSITE)
						+ " of " + property;
	}

	<E extends Enum<E>> @Nullable E one(String attribute, Class<E> type) {
		E[] values = this.annotation.getEnumArray(attribute, type);
		Assert.isTrue(values.length <= 1, () -> "its " + attribute + " has more than one value");
		return (values.length == 1) ? values[0] : null;
	}

}
