package io.github.lockboot.jdbc;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * Adds the scripts that create the tables, the properties of additional templates, and
 * the notifications of PostgreSQL, to a native image.
 */
final class JdbcLockHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/github/lockboot/jdbc/*.sql");
		hints.reflection()
			.registerType(TypeReference.of("io.github.lockboot.autoconfigure.jdbc.JdbcLockProperties"),
					MemberCategory.INVOKE_DECLARED_CONSTRUCTORS, MemberCategory.INVOKE_PUBLIC_METHODS)
			.registerTypeIfPresent(classLoader, "org.springframework.boot.jdbc.DataSourceBuilder");
		for (String type : new String[] { ReleaseNotifications.DRIVER, ReleaseNotifications.NOTIFICATION }) {
			hints.reflection().registerTypeIfPresent(classLoader, type, MemberCategory.INVOKE_PUBLIC_METHODS);
		}
	}

}
