package io.github.lockboot.cache.codec;

import java.lang.reflect.Type;

/**
 * Writes values of declared types to bytes and reads them. The bytes contain no class
 * names: the caller provides the type, so that renamed classes can be read, and no other
 * class is ever instantiated. Implementations are thread-safe.
 *
 * @since 1.0.0
 */
public interface ValueCodec {

	/**
	 * Write a value.
	 * @throws CodecException if the value cannot be written
	 */
	byte[] encode(Object value, Type type);

	/**
	 * Read a value from a part of the bytes.
	 * @return the value, equal to the one that was written
	 * @throws CodecException if the bytes are not a value of the type
	 */
	Object decode(byte[] bytes, int offset, int length, Type type);

	/**
	 * Return a number for the format of a type. Entries with another number are misses.
	 * The default depends on the names and types of fields, deeply.
	 * @return a number that is the same in every JVM
	 */
	default int shape(Type type) {
		return TypeShape.of(type);
	}

}
