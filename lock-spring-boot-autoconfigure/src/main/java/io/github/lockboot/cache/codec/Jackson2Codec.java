package io.github.lockboot.cache.codec;

import java.io.IOException;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * JSON by Jackson 2. It has a mapper of its own, so that what an application shows to its
 * clients does not change what it caches; modules on the class path are used.
 */
final class Jackson2Codec implements ValueCodec {

	private final JsonMapper mapper = JsonMapper.builder()
		.findAndAddModules()
		.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
		.disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
		// a number would lose the offset
		.disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
		.enable(SerializationFeature.WRITE_DATES_WITH_ZONE_ID)
		.build();

	private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();

	private final Map<Type, ObjectWriter> writers = new ConcurrentHashMap<>();

	@Override
	public byte[] encode(Object value, Type type) {
		try {
			return writer(type).writeValueAsBytes(value);
		}
		catch (IOException ex) {
			throw new CodecException("written", type, ex);
		}
	}

	@Override
	public Object decode(byte[] bytes, int offset, int length, Type type) {
		try {
			return Objects.requireNonNull(reader(type).<Object>readValue(bytes, offset, length));
		}
		catch (IOException | NullPointerException ex) {
			throw new CodecException("read", type, ex);
		}
	}

	private ObjectReader reader(Type type) {
		return this.readers.computeIfAbsent(type, (known) -> this.mapper.readerFor(this.mapper.constructType(known)));
	}

	private ObjectWriter writer(Type type) {
		return this.writers.computeIfAbsent(type, (known) -> this.mapper.writerFor(this.mapper.constructType(known)));
	}

}
