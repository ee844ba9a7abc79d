package io.github.lockboot.benchmarks.cache;

import java.lang.reflect.Type;

import io.github.lockboot.cache.codec.ValueCodec;

/**
 * JSON of the declared type, the same for all caches.
 *
 * @param codec writes and reads the JSON
 */
record ProductCodec(ValueCodec codec, Type type) {

	static ProductCodec of(Type type) {
		return new ProductCodec(ValueCodec.json(), type);
	}

	byte[] encode(Object value) {
		return this.codec.encode(value, this.type);
	}

	Object decode(byte[] bytes) {
		return this.codec.decode(bytes, 0, bytes.length, this.type);
	}

	Product product(byte[] bytes) {
		return (Product) decode(bytes);
	}

}
