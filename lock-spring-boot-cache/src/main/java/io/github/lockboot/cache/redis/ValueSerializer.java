package io.github.lockboot.cache.redis;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.cache.codec.CodecException;
import io.github.lockboot.cache.codec.ValueCodec;
import io.github.lockboot.cache.codec.ValueDifference;
import io.github.lockboot.cache.codec.ValueTypes;
import io.github.lockboot.cache.protocol.Envelope;

/**
 * How values of one type become payloads. An empty {@code Optional} is stored as a null,
 * and comes back empty.
 */
final class ValueSerializer {

	private final ValueCodec codec;

	private final Type type;

	private final boolean optional;

	private final int schema;

	/** What to do if values come back as others; {@code null} where the codec knows. */
	private final @Nullable String cure;

	/** Whether all values come back if one does. */
	private final boolean alike;

	private final ValueDifference differences = new ValueDifference();

	/** Whether a value came back that this JVM has written. */
	private volatile boolean proven;

	private final AtomicBoolean complained = new AtomicBoolean();

	private final AtomicBoolean complainedOfLength = new AtomicBoolean();

	private ValueSerializer(Type declared, ValueCodec codec, int schema, @Nullable String cure) {
		this.codec = codec;
		this.cure = cure;
		this.optional = declared instanceof ParameterizedType generic && generic.getRawType() == Optional.class;
		this.type = this.optional ? ((ParameterizedType) declared).getActualTypeArguments()[0] : declared;
		this.alike = cure == null || ValueTypes.areAlike(this.type);
		this.schema = schema;
	}

	/**
	 * Look at a type that has to say what its values are.
	 * @throws IllegalArgumentException if it does not
	 */
	static ValueSerializer ofClosed(Type declared, ValueCodec codec, String cache) {
		String serializer = "a ValueCodec bean that brings such values back in lock.cache.caches[" + cache
				+ "].serializer";
		ValueSerializer values = new ValueSerializer(declared, codec, codec.shape(declared),
				"Let Jackson restore it (a constructor that it can call, @JsonTypeInfo for subclasses, no fields of type"
						+ " Object), return another type, or name " + serializer);
		Type open = ValueTypes.findOpen(values.type);
		Assert.isTrue(open == null, () -> "Values of type " + declared.getTypeName() + " can't be cached, since "
				+ String.valueOf(open).replaceFirst("^(class|interface) ", "")
				+ " does not say what they are: they would come back as something else. Name concrete types, or "
				+ serializer);
		return values;
	}

	/**
	 * The same with a codec of the cache's own, which knows what its values are. What the
	 * codec of all caches has written is another schema.
	 */
	static ValueSerializer of(Type declared, ValueCodec own) {
		return new ValueSerializer(declared, own, ~own.shape(declared), null);
	}

	int schema() {
		return this.schema;
	}

	/** Whether there is nothing to write. */
	boolean isNull(@Nullable Object value) {
		return value == null || (this.optional && ((Optional<?>) value).isEmpty());
	}

	/**
	 * Write a value.
	 * @return the payload, or {@code null} if there is nothing to write
	 * @throws CodecException if it can't be written, or does not come back as it was: the
	 * first one is tried, and each one where the type does not say that all are alike
	 */
	byte @Nullable [] write(@Nullable Object value) {
		Object plain = (this.optional && value != null) ? ((Optional<?>) value).orElse(null) : value;
		if (plain == null) {
			return null;
		}
		byte[] bytes = guard("written", () -> this.codec.encode(plain, this.type));
		if (!this.proven) {
			prove(plain, guard("read", () -> this.codec.decode(bytes, 0, bytes.length, this.type)));
			this.proven = this.alike;
		}
		return bytes;
	}

	/**
	 * Call the codec, which may be of the application. Whatever it throws, also what its
	 * signature does not say, means that a value can't be written or read, and is no
	 * failure of the call.
	 */
	private <R> R guard(String action, Callable<R> call) {
		try {
			return Objects.requireNonNull(call.call(), "the codec has returned null");
		}
		catch (CodecException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new CodecException(action, this.type, ex);
		}
	}

	private void prove(Object written, Object read) {
		try {
			String difference = (this.cure != null) ? this.differences.find(written, read) : null;
			Assert.state(difference == null, () -> String.valueOf(difference));
		}
		catch (RuntimeException ex) {
			throw new CodecException("read", this.type, ex);
		}
	}

	/**
	 * Return what is to be told of values that can't be stored.
	 * @return a text, or {@code null} if it was told before
	 */
	@Nullable String complaint(CodecException failure) {
		if (!this.complained.compareAndSet(false, true)) {
			return null;
		}
		String reason = String.valueOf(failure.getMessage()).replaceAll("\\R\\s*", " ");
		return (this.cure != null) ? reason + ". " + this.cure : reason;
	}

	/** Whether nobody has said yet that a value is too long. */
	boolean isFirstTooLong() {
		return this.complainedOfLength.compareAndSet(false, true);
	}

	/**
	 * Read a value.
	 * @throws CodecException if it can't be read, or is of another type: a copy or a
	 * flight is shared by all that use the name of the cache
	 */
	@Nullable Object read(Envelope envelope) {
		if (envelope.schema() != this.schema) {
			throw new CodecException("read", this.type, new IllegalStateException("it is of another type"));
		}
		Object value = envelope.isNull() ? null : guard("read", () -> {
			byte[] bytes = envelope.plainBytes();
			return this.codec.decode(bytes, Envelope.HEADER, bytes.length - Envelope.HEADER, this.type);
		});
		return this.optional ? Optional.ofNullable(value) : value;
	}

}
