package io.github.lockboot.autoconfigure;

import java.time.Duration;

import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;
import org.springframework.validation.Errors;

import io.github.lockboot.Internal;

/**
 * What is wrong with values of properties, each told under the name of its property.
 */
@Internal
public final class PropertyErrors {

	private final Errors errors;

	public PropertyErrors(Errors errors) {
		this.errors = errors;
	}

	/** Rejects a property with the reason by which its rule fails. */
	public void check(String property, Runnable rule) {
		try {
			rule.run();
		}
		catch (ArithmeticException ex) {
			this.errors.rejectValue(property, "invalid", "The value is too great: " + ex.getMessage());
		}
		catch (IllegalArgumentException ex) {
			this.errors.rejectValue(property, "invalid", String.valueOf(ex.getMessage()));
		}
	}

	public static void checkKeyPrefix(String prefix) {
		Assert.isTrue(StringUtils.hasText(prefix), "The prefix must not be blank");
		Assert.isTrue(!prefix.contains("{") && !prefix.contains("}"),
				"The prefix must not contain a brace, which would put all keys into one slot of a cluster");
	}

	public static void checkTimeout(Duration timeout) {
		Assert.isTrue(timeout.toMillis() > 0, () -> "The timeout must be at least 1 ms but is " + text(timeout));
	}

	/** As properties are written: 1m30s, and not PT1M30S. */
	static String text(Duration duration) {
		return DurationFormatterUtils.print(duration, DurationFormat.Style.COMPOSITE);
	}

}
