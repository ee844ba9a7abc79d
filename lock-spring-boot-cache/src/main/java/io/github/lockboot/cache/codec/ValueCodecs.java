package io.github.lockboot.cache.codec;

import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;

/**
 * Selects the codec for the libraries on the class path.
 */
@Internal
public final class ValueCodecs {

	private ValueCodecs() {
	}

	/**
	 * Return the codec of Jackson 3, or else of Jackson 2.
	 * @throws IllegalStateException if both are missing
	 */
	public static ValueCodec json() {
		if (isPresent("tools.jackson.databind.json.JsonMapper")) {
			return new Jackson3Codec();
		}
		if (isPresent("com.fasterxml.jackson.databind.json.JsonMapper")) {
			return new Jackson2Codec();
		}
		throw new IllegalStateException(
				"The cache can't serialize values: there is no Jackson on the class path and no ValueCodec bean");
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, ValueCodecs.class.getClassLoader());
	}

}
