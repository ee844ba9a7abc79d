package io.github.lockboot.cache.aspect;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringValueResolver;

/**
 * Reads the attributes of an annotation as they are written, and resolves their
 * placeholders.
 *
 * @param annotation the annotation
 * @param placeholders resolves <code>${}</code>
 */
record AnnotationText(MergedAnnotation<?> annotation, StringValueResolver placeholders) {

	/** How the annotation is called in messages. */
	String type() {
		return "@" + this.annotation.getType().getSimpleName();
	}

	boolean has(String attribute) {
		return !written(attribute).isEmpty();
	}

	/** An expression: its placeholders are not for us to resolve. */
	String written(String attribute) {
		return this.annotation.getString(attribute);
	}

	boolean flag(String attribute) {
		return this.annotation.getBoolean(attribute);
	}

	String text(String attribute) {
		String written = written(attribute);
		String resolved = written.isEmpty() ? written : this.placeholders.resolveStringValue(written);
		return (resolved != null) ? resolved : "";
	}

	@Nullable Duration duration(String attribute) {
		String text = text(attribute).trim();
		try {
			return text.isEmpty() ? null : DurationFormatterUtils.detectAndParse(text);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"has the " + attribute + " '" + text + "', which is not a duration; write for example 500ms or 10m",
					ex);
		}
	}

	@Nullable Double number(String attribute) {
		String text = text(attribute).trim();
		try {
			return text.isEmpty() ? null : Double.valueOf(text);
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("has the " + attribute + " '" + text + "', which is not a number", ex);
		}
	}

}
