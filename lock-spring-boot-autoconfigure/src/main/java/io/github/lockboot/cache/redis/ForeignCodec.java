package io.github.lockboot.cache.redis;

import java.lang.reflect.Type;
import java.util.Objects;

import io.github.lockboot.cache.codec.CodecException;
import io.github.lockboot.cache.codec.ValueCodec;

/**
 * A codec that may be of the application. Whatever it throws, also what its signature
 * does not say, means that a value can't be written or read, and is no failure of the
 * call.
 */
final class ForeignCodec implements ValueCodec {

	private final ValueCodec codec;

	ForeignCodec(ValueCodec codec) {
		this.codec = codec;
	}

	@Override
	public byte[] encode(Object value, Type type) {
		try {
			return Objects.requireNonNull(this.codec.encode(value, type), "the codec has returned null");
		}
		catch (CodecException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new CodecException("written", type, ex);
		}
	}

	@Override
	public Object decode(byte[] bytes, int offset, int length, Type type) {
		try {
			return Objects.requireNonNull(this.codec.decode(bytes, offset, length, type),
					"the codec has returned null");
		}
		catch (CodecException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new CodecException("read", type, ex);
		}
	}

	@Override
	public int shape(Type type) {
		return this.codec.shape(type);
	}

}
