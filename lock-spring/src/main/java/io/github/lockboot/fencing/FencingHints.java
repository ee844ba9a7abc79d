package io.github.lockboot.fencing;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Adds the scripts that create the table of the fence, and types whose presence is
 * checked by their names, to a native image.
 */
final class FencingHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/github/lockboot/fencing/*.sql");
		for (String type : new String[] { "jakarta.persistence.EntityManager",
				"org.springframework.orm.jpa.JpaTransactionManager" }) {
			hints.reflection().registerTypeIfPresent(classLoader, type);
		}
	}

}
