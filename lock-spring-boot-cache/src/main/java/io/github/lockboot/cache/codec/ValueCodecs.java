package io.github.lockboot.cache.codec;

import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;

/**
 * Chooses the codec for what is on the class path.
 *
 * @since 1.0.0
 */
@Internal
public final class ValueCodecs {

	private ValueCodecs() {
	}

	/**
	 * Return a codec: of Jackson 3 if that is there, else of Jackson 2.
	 * @throws IllegalStateException if neither is there
	 */
	public static ValueCodec json() {
		if (isPresent("tools.jackson.databind.json.JsonMapper")) {
			return new Jackson3Codec();
		}
		if (isPresent("com.fasterxml.jackson.databind.json.JsonMapper")) {
			return new Jackson2Codec();
		}
		throw new IllegalStateException("The cache has nothing to write values with: there is no Jackson"
				+ " on the class path and no ValueCodec bean");
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, ValueCodecs.class.getClassLoader());
	}

}
