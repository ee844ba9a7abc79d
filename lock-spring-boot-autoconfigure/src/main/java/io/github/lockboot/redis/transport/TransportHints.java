package io.github.lockboot.redis.transport;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ClassUtils;

/**
 * The field of a connection factory that is read by reflection.
 */
final class TransportHints implements RuntimeHintsRegistrar {

	private static final String FACTORY = "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory";

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		if (ClassUtils.isPresent(FACTORY, classLoader)) {
			hints.reflection().registerType(TypeReference.of(FACTORY), MemberCategory.ACCESS_DECLARED_FIELDS);
		}
	}

}
