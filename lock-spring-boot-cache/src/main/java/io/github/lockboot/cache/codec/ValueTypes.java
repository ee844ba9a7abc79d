package io.github.lockboot.cache.codec;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.Month;
import java.time.ZoneId;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.Internal;

/**
 * What the types of values and keys say of these: which types are open and do not define
 * their values, so that the values would be read as something else ({@code Object}, an
 * interface, a wildcard), what the state of a value is, and which classes can be keys.
 */
@Internal
public final class ValueTypes {

	/**
	 * The classes of Java that are keys, beside the times in {@code java.time},
	 * collections, arrays and enums.
	 */
	private static final Set<Class<?>> KEYS = Set.of(String.class, Character.class, Boolean.class, Byte.class,
			Short.class, Integer.class, Long.class, Float.class, Double.class, BigInteger.class, BigDecimal.class,
			UUID.class, URI.class, Locale.class, Currency.class, InetAddress.class, Class.class, Optional.class,
			Date.class);

	private static final Set<Class<?>> TIMES = Set.of(TemporalAccessor.class, TemporalAmount.class, ZoneId.class);

	private static final Set<Class<?>> CONTAINERS = Set.of(Collection.class, Map.class, Map.Entry.class, Enum.class,
			Record.class);

	private static final Set<String> TYPE_INFO = Set.of("com.fasterxml.jackson.annotation.JsonTypeInfo",
			"com.fasterxml.jackson.databind.annotation.JsonDeserialize",
			"tools.jackson.databind.annotation.JsonDeserialize");

	/** Annotations that hide properties from clients, or format them. */
	private static final Set<String> FOR_CLIENTS = Set.of("JsonIgnore", "JsonIgnoreType", "JsonIgnoreProperties",
			"JsonIncludeProperties", "JsonInclude", "JsonFormat", "JsonFilter", "JsonView");

	private ValueTypes() {
	}

	static boolean isForClients(Class<? extends Annotation> annotation) {
		return annotation.getPackageName().equals("com.fasterxml.jackson.annotation")
				&& FOR_CLIENTS.contains(annotation.getSimpleName());
	}

	/**
	 * Find an open type in a type, its arguments and the components of records.
	 * @return the open type, or {@code null} if there is none
	 */
	public static @Nullable Type findOpen(Type type) {
		return findOpen(type, new HashSet<>());
	}

	/** Return the fields that are part of the state of a value, also inherited ones. */
	static Stream<Field> state(Class<?> type) {
		Stream.Builder<Field> found = Stream.builder();
		ReflectionUtils.doWithFields(type, found::add, ValueTypes::isState);
		return found.build();
	}

	/**
	 * Return whether a field is part of the state of a value: not a static, transient or
	 * generated field, such as that of a Kotlin delegate, or one of a Java class.
	 */
	static boolean isState(Field field) {
		return !Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())
				&& !field.isSynthetic() && !field.getName().endsWith("$delegate")
				&& !isOfJava(field.getDeclaringClass());
	}

	public static boolean isKeyOfJava(Class<?> type) {
		return KEYS.contains(type) || (type.getPackageName().equals("java.time")
				&& TIMES.stream().anyMatch((time) -> time.isAssignableFrom(type)));
	}

	/** Return whether no object of a type can be a key. */
	public static boolean areNoKeys(Class<?> type) {
		if (type.isArray()) {
			return areNoKeys(type.getComponentType());
		}
		if (type.isInterface() || type.isPrimitive()) {
			return false;
		}
		return isOfJava(type)
				? !isKeyOfJava(type) && Stream.of(KEYS, CONTAINERS)
					.flatMap(Set::stream)
					.noneMatch((key) -> key.isAssignableFrom(type) || type.isAssignableFrom(key))
				: Modifier.isFinal(type.getModifiers()) && !declares(type, "equals", Object.class);
	}

	/** Return whether a class or a superclass but {@code Object} declares a method. */
	public static boolean declares(Class<?> type, String method, Class<?>... parameters) {
		Method found = ReflectionUtils.findMethod(type, method, parameters);
		return found != null && found.getDeclaringClass() != Object.class;
	}

	public static boolean isOfJava(Class<?> type) {
		String module = type.getModule().getName();
		return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
	}

	/**
	 * Return a number for the shape of a type: names and types of its fields, deeply, but
	 * no names of application classes. The number of a class does not change with its
	 * name, but with its fields, so that payloads of the old class are misses.
	 */
	public static int shapeOf(Type type) {
		TypeShape shape = new TypeShape();
		shape.add("", ResolvableType.forType(type));
		String text = shape.endless ? type.toString() : shape.text.toString();
		CRC32C crc = new CRC32C();
		crc.update(text.getBytes(StandardCharsets.UTF_8));
		return (int) crc.getValue();
	}

	private static @Nullable Type findOpen(Type type, Set<Type> seen) {
		if (!seen.add(type)) {
			return null;
		}
		if (type instanceof GenericArrayType array) {
			return findOpen(array.getGenericComponentType(), seen);
		}
		if (type instanceof ParameterizedType generic) {
			Class<?> raw = (Class<?>) generic.getRawType();
			Type inside = firstOpen(Arrays.stream(generic.getActualTypeArguments()), seen);
			return (inside != null || isContainer(raw) || !isAbstract(raw)) ? inside : raw;
		}
		if (!(type instanceof Class<?> raw) || raw.getTypeParameters().length > 0 || isAbstract(raw)) {
			return type;
		}
		if (raw.isArray()) {
			return findOpen(raw.getComponentType(), seen);
		}
		return raw.isRecord()
				? firstOpen(Arrays.stream(raw.getRecordComponents()).map(RecordComponent::getGenericType), seen) : null;
	}

	private static @Nullable Type firstOpen(Stream<Type> types, Set<Type> seen) {
		return types.flatMap((type) -> Stream.ofNullable(findOpen(type, seen))).findFirst().orElse(null);
	}

	private static boolean isContainer(Class<?> type) {
		return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type) || type == Optional.class;
	}

	/** Return whether a type does not declare its values; an array or an enum does. */
	private static boolean isAbstract(Class<?> type) {
		boolean open = type == Object.class || Modifier.isAbstract(type.getModifiers());
		return open && !type.isPrimitive() && !type.isArray() && !type.isEnum()
				&& !type.getName().startsWith("java.time.") && Arrays.stream(type.getAnnotations())
					.noneMatch((annotation) -> TYPE_INFO.contains(annotation.annotationType().getName()));
	}

	/**
	 * The text of the values of a class of Java whose own format differs between Jackson
	 * 2 and 3, which would read each other's values as other ones, or that lose a part.
	 * Any other text is an exception.
	 */
	record ValueText<T>(Class<T> type, Function<T, String> write, Function<String, T> read) {

		static List<ValueText<?>> all() {
			Stream<ValueText<?>> always = Stream.of(new ValueText<>(Month.class, Month::name, Month::valueOf),
					new ValueText<>(Locale.class, Locale::toLanguageTag,
							// not forLanguageTag, which returns an empty locale for other
							// texts
							(text) -> new Locale.Builder().setLanguageTag(text).build()));
			boolean sql = ClassUtils.isPresent("java.sql.Timestamp", ValueText.class.getClassLoader());
			return Stream.concat(always, sql ? ofSql() : Stream.empty()).toList();
		}

		/** Keep the nanoseconds, and a date in any time zone. */
		private static Stream<ValueText<?>> ofSql() {
			return Stream.of(
					new ValueText<>(Timestamp.class, (time) -> time.toInstant().toString(),
							(text) -> Timestamp.from(Instant.parse(text))),
					new ValueText<>(java.sql.Date.class, java.sql.Date::toString, java.sql.Date::valueOf));
		}

	}

	/**
	 * The shape of a type, as a text.
	 */
	private static final class TypeShape {

		private static final boolean JACKSON = ClassUtils.isPresent("com.fasterxml.jackson.annotation.JsonSubTypes",
				TypeShape.class.getClassLoader());

		private static final int MAX_DEPTH = 100;

		/** The types so far, in the order in which they were found. */
		private final Map<String, Integer> seen = new HashMap<>();

		private final StringBuilder text = new StringBuilder();

		private int depth;

		/** Whether the type contains itself with other type arguments, without end. */
		private boolean endless;

		private void add(String name, ResolvableType type) {
			this.endless |= this.depth == MAX_DEPTH;
			if (!this.endless) {
				this.depth++;
				append(name, type);
				this.depth--;
			}
		}

		private void append(String name, ResolvableType type) {
			this.text.append(name).append(':');
			Integer before = this.seen.putIfAbsent(type.toString(), this.seen.size());
			if (before != null) {
				this.text.append('^').append(before).append(';');
				return;
			}
			Class<?> raw = type.toClass();
			this.text.append(ValueTypes.isOfJava(raw) ? raw.getName() : "").append('{');
			if (raw.isEnum()) {
				Arrays.stream(raw.getEnumConstants())
					.forEach((constant) -> this.text.append(((Enum<?>) constant).name()).append(','));
			}
			else if (raw.isArray()) {
				add("", type.getComponentType());
			}
			else if (ValueTypes.isOfJava(raw)) {
				addAll(type.getGenerics());
			}
			else {
				// elements of a container of the application
				addAll(type.as(Collection.class).getGenerics());
				addAll(type.as(Map.class).getGenerics());
				ValueTypes.state(raw).sorted(Comparator.comparing(Field::getName)).forEach((field) -> {
					add(field.getName(), ResolvableType.forField(field, type));
					addSubtypes(field);
				});
				addSubtypes(raw);
				if (raw.isSealed()) {
					Arrays.stream(raw.getPermittedSubclasses())
						.forEach((subtype) -> add("", ResolvableType.forClass(subtype)));
				}
			}
			this.text.append('}');
		}

		/** A subtype is found nowhere else: its name and fields are in the payload. */
		private void addSubtypes(AnnotatedElement declaration) {
			JsonSubTypes named = JACKSON ? declaration.getAnnotation(JsonSubTypes.class) : null;
			if (named != null) {
				Arrays.stream(named.value()).forEach((type) -> add(type.name(), ResolvableType.forClass(type.value())));
			}
		}

		private void addAll(ResolvableType[] types) {
			Arrays.stream(types).forEach((type) -> add("", type));
		}

	}

}
