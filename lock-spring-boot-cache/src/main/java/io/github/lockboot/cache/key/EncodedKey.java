package io.github.lockboot.cache.key;

import io.github.lockboot.Internal;

/**
 * The text of a key as it was at a call, since what the key consists of may change later.
 */
@Internal
public record EncodedKey(String text) {

	public static EncodedKey of(String cacheName, Object key) {
		return new EncodedKey(KeyEncoder.of(cacheName, key));
	}

	@Override
	public String toString() {
		return this.text;
	}

}
