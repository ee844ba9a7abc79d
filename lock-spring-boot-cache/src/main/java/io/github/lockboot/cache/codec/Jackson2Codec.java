package io.github.lockboot.cache.codec;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedField;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.introspect.VisibilityChecker;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.codec.ValueTypes.ValueText;

/**
 * Writes JSON by Jackson 2. The codec has its own mapper, so that the mapper of the
 * application for its clients does not affect the cache; modules on the class path are
 * used. The codec writes the state of a value: its fields, including private ones, and
 * the getters of properties that can be set. The codec shares no code with
 * {@link Jackson3Codec}, because Jackson 2 and 3 share only their annotations.
 */
final class Jackson2Codec implements ValueCodec {

	private final JsonMapper mapper = JsonMapper.builder()
		.annotationIntrospector(new StateIntrospector())
		.findAndAddModules()
		.addModule(new StateModule())
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
				DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
				DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
		.disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
		// a number would lose the offset
		.disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
		.enable(SerializationFeature.WRITE_DATES_WITH_ZONE_ID)
		.build();

	private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();

	@Override
	public byte[] encode(Object value, Type type) {
		try {
			return this.mapper.writerFor(this.mapper.constructType(type)).writeValueAsBytes(value);
		}
		catch (IOException ex) {
			throw new CodecException("written", type, ex);
		}
	}

	@Override
	public Object decode(byte[] bytes, int offset, int length, Type type) {
		ObjectReader reader = this.readers.computeIfAbsent(type,
				(known) -> this.mapper.readerFor(this.mapper.constructType(known)));
		try {
			return Objects.requireNonNull(reader.<Object>readValue(bytes, offset, length));
		}
		catch (IOException | NullPointerException ex) {
			throw new CodecException("read", type, ex);
		}
	}

	/** Keeps the order of sets, and omits properties that cannot be set. */
	@SuppressWarnings("serial")
	private static final class StateModule extends SimpleModule {

		StateModule() {
			addAbstractTypeMapping(Set.class, LinkedHashSet.class);
			ValueText.all().forEach(this::addText);
			setSerializerModifier(new BeanSerializerModifier() {

				@Override
				public List<BeanPropertyWriter> changeProperties(SerializationConfig config, BeanDescription bean,
						List<BeanPropertyWriter> properties) {
					properties.removeIf((written) -> bean.findProperties()
						.stream()
						.anyMatch((property) -> property.getName().equals(written.getName())
								&& !property.couldDeserialize()));
					return properties;
				}

			});
		}

		private <T> void addText(ValueText<T> text) {
			addSerializer(text.type(), new StdSerializer<T>(text.type()) {

				@Override
				public void serialize(T value, JsonGenerator generator, SerializerProvider context) throws IOException {
					generator.writeString(text.write().apply(value));
				}

			});
			addKeySerializer(text.type(), new StdSerializer<T>(text.type()) {

				@Override
				public void serialize(T value, JsonGenerator generator, SerializerProvider context) throws IOException {
					generator.writeFieldName(text.write().apply(value));
				}

			});
			addDeserializer(text.type(), new StdDeserializer<T>(text.type()) {

				@Override
				public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
					return text.read().apply(parser.getText());
				}

			});
			addKeyDeserializer(text.type(), new KeyDeserializer() {

				@Override
				public Object deserializeKey(String key, DeserializationContext context) {
					return text.read().apply(key);
				}

			});
		}

	}

	/** Ignores annotations that hide properties from clients, or format them. */
	@SuppressWarnings("serial")
	private static final class StateIntrospector extends JacksonAnnotationIntrospector {

		@Override
		protected <A extends Annotation> @Nullable A _findAnnotation(Annotated annotated, Class<A> type) {
			return ValueTypes.isForClients(type) ? null : super._findAnnotation(annotated, type);
		}

		@Override
		public JsonProperty.@Nullable Access findPropertyAccess(Annotated annotated) {
			return null;
		}

		@Override
		public VisibilityChecker<?> findAutoDetectVisibility(AnnotatedClass type, VisibilityChecker<?> checker) {
			boolean bean = !type.getRawType().isRecord() && !ValueTypes.isOfJava(type.getRawType());
			return bean ? new StateVisibility() : checker;
		}

	}

	/** Sees all fields of application classes, and no hidden methods. */
	@SuppressWarnings("serial")
	private static final class StateVisibility extends VisibilityChecker.Std {

		StateVisibility() {
			super(Visibility.PUBLIC_ONLY, Visibility.PUBLIC_ONLY, Visibility.ANY, Visibility.ANY, Visibility.ANY);
		}

		@Override
		public boolean isFieldVisible(AnnotatedField field) {
			return ValueTypes.isState(field.getAnnotated());
		}

		@Override
		public boolean isGetterVisible(AnnotatedMethod method) {
			return !method.hasAnnotation(JsonIgnore.class) && super.isGetterVisible(method);
		}

		@Override
		public boolean isIsGetterVisible(AnnotatedMethod method) {
			return !method.hasAnnotation(JsonIgnore.class) && super.isIsGetterVisible(method);
		}

		@Override
		public boolean isSetterVisible(AnnotatedMethod method) {
			return !method.hasAnnotation(JsonIgnore.class) && super.isSetterVisible(method);
		}

	}

}
