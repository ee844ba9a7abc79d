package io.github.lockboot.cache.codec;

import java.lang.reflect.Type;

import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

/**
 * Writes values of declared types to bytes and reads them. The bytes contain no class
 * names: the caller provides the type, so that renamed classes can be read, and no other
 * class is ever instantiated. Implementations are thread-safe.
 *
 * @since 1.0.0
 */
public interface ValueCodec {

	/**
	 * Return the codec that writes JSON by Jackson 3, or else by Jackson 2.
	 * @throws IllegalStateException if both are missing
	 */
	static ValueCodec json() {
		ClassLoader loader = ValueCodec.class.getClassLoader();
		if (ClassUtils.isPresent("tools.jackson.databind.json.JsonMapper", loader)) {
			return new Jackson3Codec();
		}
		Assert.state(ClassUtils.isPresent("com.fasterxml.jackson.databind.json.JsonMapper", loader),
				"The cache can't serialize values: there is no Jackson on the class path and no ValueCodec bean");
		return new Jackson2Codec();
	}

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
		return ValueTypes.shapeOf(type);
	}

}
