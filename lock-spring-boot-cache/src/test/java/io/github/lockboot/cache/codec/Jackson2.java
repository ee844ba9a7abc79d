package io.github.lockboot.cache.codec;

/**
 * The codec of an application on Spring Boot 3.
 */
public final class Jackson2 {

	private Jackson2() {
	}

	public static ValueCodec codec() {
		return new Jackson2Codec();
	}

}
