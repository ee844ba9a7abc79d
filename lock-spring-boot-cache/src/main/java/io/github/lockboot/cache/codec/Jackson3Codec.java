package io.github.lockboot.cache.codec;

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
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.introspect.VisibilityChecker;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.std.StdSerializer;

import io.github.lockboot.cache.codec.ValueTypes.ValueText;

/**
 * Writes JSON by Jackson 3. The codec has its own mapper, so that the mapper of the
 * application for its clients does not affect the cache. The codec writes the state of a
 * value: its fields, including private ones, and the getters of properties that can be
 * set.
 */
final class Jackson3Codec implements ValueCodec {

	private final JsonMapper mapper = JsonMapper.builder()
		.annotationIntrospector(new StateIntrospector())
		.findAndAddModules()
		.addModule(new StateModule())
		.enable(MapperFeature.ALLOW_FINAL_FIELDS_AS_MUTATORS)
		.disable(EnumFeature.READ_ENUMS_USING_TO_STRING, EnumFeature.WRITE_ENUMS_USING_TO_STRING)
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
				DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
				DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
		.enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
		.build();

	private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();

	@Override
	public byte[] encode(Object value, Type type) {
		try {
			return this.mapper.writerFor(this.mapper.constructType(type)).writeValueAsBytes(value);
		}
		catch (JacksonException ex) {
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
		catch (JacksonException | NullPointerException ex) {
			throw new CodecException("read", type, ex);
		}
	}

	/** Keeps the order of sets, and omits properties that cannot be set. */
	@SuppressWarnings("serial")
	private static final class StateModule extends SimpleModule {

		StateModule() {
			addAbstractTypeMapping(Set.class, LinkedHashSet.class);
			ValueText.all().forEach(this::addText);
			setSerializerModifier(new ValueSerializerModifier() {

				@Override
				public List<BeanPropertyWriter> changeProperties(SerializationConfig config,
						BeanDescription.Supplier bean, List<BeanPropertyWriter> properties) {
					properties.removeIf((written) -> bean.get()
						.findProperties()
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
				public void serialize(T value, JsonGenerator generator, SerializationContext context) {
					generator.writeString(text.write().apply(value));
				}

			});
			addKeySerializer(text.type(), new StdSerializer<T>(text.type()) {

				@Override
				public void serialize(T value, JsonGenerator generator, SerializationContext context) {
					generator.writeName(text.write().apply(value));
				}

			});
			addDeserializer(text.type(), new StdDeserializer<T>(text.type()) {

				@Override
				public T deserialize(JsonParser parser, DeserializationContext context) {
					return text.read().apply(parser.getString());
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
		public JsonProperty.@Nullable Access findPropertyAccess(MapperConfig<?> config, Annotated annotated) {
			return null;
		}

		@Override
		public VisibilityChecker findAutoDetectVisibility(MapperConfig<?> config, AnnotatedClass type,
				VisibilityChecker checker) {
			boolean bean = !type.getRawType().isRecord() && !ValueTypes.isOfJava(type.getRawType());
			return bean ? new StateVisibility() : checker;
		}

	}

	/** Sees all fields of application classes, and no hidden methods. */
	@SuppressWarnings("serial")
	private static final class StateVisibility extends VisibilityChecker {

		StateVisibility() {
			super(Visibility.ANY, Visibility.PUBLIC_ONLY, Visibility.PUBLIC_ONLY, Visibility.ANY,
					Visibility.PUBLIC_ONLY, Visibility.NON_PRIVATE);
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
