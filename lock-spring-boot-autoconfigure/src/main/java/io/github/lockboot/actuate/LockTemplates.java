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

	/** Returns all templates if none is named. */
	Map<String, LockOperations> chosen(@Nullable String name) {
		return (name != null) ? Map.of(name, named(name)) : this.byName;
	}

	/** Only one of several templates needs to be named. */
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
