package io.github.lockboot.cache.codec;

import java.lang.reflect.Type;

/**
 * Turns values of declared types into bytes and back. The bytes hold no class names: the
 * type comes from the caller, so that renamed classes are read and foreign ones never
 * made. Implementations are thread-safe.
 *
 * @since 1.0.0
 */
public interface ValueCodec {

	/**
	 * Write a value.
	 * @param value the value
	 * @param type its declared type
	 * @return the bytes
	 * @throws CodecException if it can't be written
	 */
	byte[] encode(Object value, Type type);

	/**
	 * Read a value.
	 * @param bytes where the value stands
	 * @param offset where it begins
	 * @param length how long it is
	 * @param type its declared type
	 * @return the value, equal to the one that was written
	 * @throws CodecException if the bytes are not a value of the type
	 */
	Object decode(byte[] bytes, int offset, int length, Type type);

	/**
	 * Return a number for what the bytes of a type look like. What was stored under
	 * another number is a miss. The default is made of names and types of fields, deeply.
	 * @param type the type
	 * @return a number that is the same in every JVM
	 */
	default int shape(Type type) {
		return TypeShape.of(type);
	}

}
