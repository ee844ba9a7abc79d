package io.github.lockboot.autoconfigure;

import java.time.Duration;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;
import org.springframework.validation.Errors;

import io.github.lockboot.Internal;
import io.github.lockboot.LockDefaults;

/**
 * Collects invalid values, each under the name of its property.
 */
@Internal
public record PropertyErrors(Errors errors) {

	/** Reject a property if its rule throws an exception, with its message. */
	public void check(String property, Runnable rule) {
		try {
			rule.run();
		}
		catch (ArithmeticException ex) {
			reject(property, "The value is too large: " + ex.getMessage());
		}
		catch (IllegalArgumentException ex) {
			reject(property, String.valueOf(ex.getMessage()));
		}
	}

	/** Reject a property that is set, but must not be, for a reason. */
	void refuse(String property, boolean set, String reason) {
		if (set) {
			reject(property, reason);
		}
	}

	/**
	 * Reject a property by the name that users write. Spring Boot prints this name, and
	 * finds the value by it.
	 */
	private void reject(String property, String message) {
		int end = property.lastIndexOf(']') + 1; // names of locks stay as they are
		String name = property.substring(0, end) + DataObjectPropertyName.toDashedForm(property.substring(end));
		if (this.errors.getFieldValue(name) == null) { // would be shown as "null"
			this.errors.reject("invalid", this.errors.getObjectName() + "." + name + " is not set: " + message);
		}
		else {
			this.errors.rejectValue(name, "invalid", message);
		}
	}

	public static void checkKeyPrefix(String prefix) {
		Assert.isTrue(StringUtils.hasText(prefix), "The prefix must not be blank");
		Assert.isTrue(!prefix.contains("{") && !prefix.contains("}"),
				"The prefix must not contain a brace, which would put all keys into one slot of a cluster");
	}

	public static void checkTimeout(Duration timeout) {
		Assert.isTrue(timeout.toMillis() > 0,
				() -> "The timeout must be at least 1 ms but is " + LockDefaults.text(timeout));
	}

}
