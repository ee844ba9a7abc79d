package io.github.lockboot.autoconfigure;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.core.io.support.SpringFactoriesLoader;

/**
 * Hints for a native image, collected as in the build of an application.
 */
public final class RegisteredHints {

	private RegisteredHints() {
	}

	/** Return the hints of the library for each application. */
	public static RuntimeHints ofLibrary() {
		RuntimeHints hints = new RuntimeHints();
		SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
			.load(RuntimeHintsRegistrar.class)
			.stream()
			.filter((registrar) -> registrar.getClass().getName().startsWith("io.github.lockboot"))
			.forEach((registrar) -> registrar.registerHints(hints, RegisteredHints.class.getClassLoader()));
		return hints;
	}

}
