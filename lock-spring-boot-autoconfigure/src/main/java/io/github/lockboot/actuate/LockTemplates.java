package io.github.lockboot.actuate;

import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.util.StringUtils;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockMonitor;
import io.github.lockboot.LockOperations;

/**
 * The templates of an application, from which an operator chooses by bean name.
 */
final class LockTemplates {

	private final Map<String, LockOperations> byName;

	LockTemplates(Map<String, LockOperations> byName) {
		this.byName = new TreeMap<>(byName);
	}

	/**
	 * Choose one or all.
	 * @param name of the bean; {@code null} for all
	 * @return the chosen ones
	 * @throws InvalidEndpointRequestException if there is none of that name
	 */
	Map<String, LockOperations> chosen(@Nullable String name) {
		return (name != null) ? Map.of(name, named(name)) : this.byName;
	}

	/**
	 * Choose one.
	 * @param name of the bean; {@code null} if there is only one
	 * @return the chosen name
	 * @throws InvalidEndpointRequestException if there is none of that name, or none is
	 * named though there are several
	 */
	String one(@Nullable String name) {
		if (name == null && this.byName.size() != 1) {
			throw invalid("There are several lock templates; choose one by 'template'");
		}
		return (name != null) ? name : this.byName.keySet().iterator().next();
	}

	LockOperations named(String name) {
		LockOperations template = this.byName.get(name);
		if (template == null) {
			throw invalid("There is no lock template '" + name + "'");
		}
		return template;
	}

	/**
	 * Check the name of a lock.
	 * @param name what was asked for
	 * @return the name
	 * @throws InvalidEndpointRequestException if it is blank
	 */
	static String lock(String name) {
		if (!StringUtils.hasText(name)) {
			String reason = "The name of a lock must not be blank";
			throw new InvalidEndpointRequestException(reason, reason);
		}
		return name;
	}

	static LockActivity activity(LockOperations template) {
		return (template instanceof LockMonitor monitor) ? monitor.activity() : LockActivity.none();
	}

	private InvalidEndpointRequestException invalid(String message) {
		String reason = message + ": " + String.join(", ", this.byName.keySet());
		return new InvalidEndpointRequestException(reason, reason);
	}

}
