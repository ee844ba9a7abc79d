package io.github.lockboot.cache.protocol;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Arguments of scripts, as bytes.
 */
final class Argument {

	private Argument() {
	}

	static byte[] of(long number) {
		return of(Long.toString(number));
	}

	static byte[] of(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/** In the order of their texts, since numbers of Lua have only 53 bits. */
	static byte[] sortable(long number) {
		return of(HexFormat.of().toHexDigits(number ^ Long.MIN_VALUE));
	}

}
