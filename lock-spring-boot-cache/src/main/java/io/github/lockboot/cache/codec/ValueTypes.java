package io.github.lockboot.cache.codec;

import java.lang.annotation.Annotation;
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
import java.sql.Timestamp;
import java.time.Instant;
import java.time.Month;
import java.time.ZoneId;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Arrays;
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.Internal;

/**
 * Finds open types, which do not define their values, so that the values would be read as
 * something else: {@code Object}, an interface, a wildcard.
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

}
