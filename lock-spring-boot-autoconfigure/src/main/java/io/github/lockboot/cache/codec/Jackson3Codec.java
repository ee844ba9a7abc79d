package io.github.lockboot.cache.codec;

import java.lang.reflect.Type;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON by Jackson 3. It has a mapper of its own, so that what an application shows to its
 * clients does not change what it caches.
 */
final class Jackson3Codec implements ValueCodec {

	private final JsonMapper mapper = JsonMapper.builder()
		.findAndAddModules()
		.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
		.enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
		.build();

	private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();

	private final Map<Type, ObjectWriter> writers = new ConcurrentHashMap<>();

	@Override
	public byte[] encode(Object value, Type type) {
		try {
			return writer(type).writeValueAsBytes(value);
		}
		catch (JacksonException ex) {
			throw new CodecException("written", type, ex);
		}
	}

	@Override
	public Object decode(byte[] bytes, int offset, int length, Type type) {
		try {
			return Objects.requireNonNull(reader(type).<Object>readValue(bytes, offset, length));
		}
		catch (JacksonException | NullPointerException ex) {
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
