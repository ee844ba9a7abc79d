package io.github.lockboot.redis.transport;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ClassUtils;

/**
 * The fields of a connection factory and of a client that are read by reflection.
 */
final class TransportHints implements RuntimeHintsRegistrar {

	private static final String FACTORY = "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory";

	private static final String CLIENT = "io.lettuce.core.RedisClient";

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		for (String type : List.of(FACTORY, CLIENT)) {
			if (ClassUtils.isPresent(type, classLoader)) {
				hints.reflection().registerType(TypeReference.of(type), MemberCategory.ACCESS_DECLARED_FIELDS);
			}
		}
	}

}
