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
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.Internal;

/**
 * Finds open types, which do not define their values, so that these would be read as
 * something else: {@code Object}, an interface, a wildcard.
 */
@Internal
public final class ValueTypes {

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

	/**
	 * Return whether all values of a type can be read if one can: for types of Java,
	 * enums and records, and for lists and arrays of these. Other classes may have
	 * subclasses, or state that is not restored, such as the comparator of a map, and a
	 * null comes back as an empty {@code Optional}, so that each value has to be
	 * compared.
	 */
	public static boolean areAlike(Type type) {
		return areAlike(ResolvableType.forType(type), new HashSet<>());
	}

	private static boolean areAlike(ResolvableType type, Set<String> seen) {
		Class<?> raw = type.toClass();
		if (!seen.add(type.toString())) {
			return true;
		}
		if (raw.isArray()) {
			return areAlike(type.getComponentType(), seen);
		}
		if (raw == List.class) {
			return Arrays.stream(type.getGenerics()).allMatch((argument) -> areAlike(argument, seen));
		}
		return isScalar(raw) || (raw.isRecord() && isWithoutAnnotations(raw)
				&& state(raw).allMatch((field) -> areAlike(ResolvableType.forField(field, type), seen)));
	}

	private static boolean isScalar(Class<?> type) {
		return type.isPrimitive() || type == BigDecimal.class || type == BigInteger.class
				|| (type.isEnum() && isWithoutAnnotations(type)) || (isOfJava(type)
						&& Modifier.isFinal(type.getModifiers()) && !type.getSimpleName().startsWith("Optional"));
	}

	/** Returns whether there is no annotation of Jackson, which could change values. */
	private static boolean isWithoutAnnotations(Class<?> type) {
		Stream<AnnotatedElement> inside = Stream
			.of(type.getDeclaredFields(), type.getDeclaredMethods(), type.getDeclaredConstructors())
			.flatMap(Arrays::stream);
		return Stream.concat(Stream.of(type), inside)
			.flatMap((element) -> Arrays.stream(element.getAnnotations()))
			.noneMatch((annotation) -> annotation.annotationType().getName().contains(".jackson."));
	}

	/** Return the fields that are part of the state of a value, also inherited ones. */
	static Stream<Field> state(Class<?> type) {
		Stream.Builder<Field> found = Stream.builder();
		ReflectionUtils.doWithFields(type, found::add, ValueTypes::isState);
		return found.build();
	}

	/**
	 * Return whether a field is part of the state of a value: not if it is static or
	 * transient, of a Java class, or generated.
	 */
	static boolean isState(Field field) {
		return !Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())
				&& field.getName().indexOf('$') < 0 && !isOfJava(field.getDeclaringClass());
	}

	/** Return whether a class or a superclass but {@code Object} declares a method. */
	public static boolean declares(Class<?> type, String method, Class<?>... parameters) {
		Method found = ReflectionUtils.findMethod(type, method, parameters);
		return found != null && found.getDeclaringClass() != Object.class;
	}

	/** Return whether a class is part of Java. */
	public static boolean isOfJava(Class<?> type) {
		String module = type.getModule().getName();
		return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
	}

	private static @Nullable Type findOpen(Type type, Set<Type> seen) {
		if (!seen.add(type)) {
			return null;
		}
		if (type instanceof Class<?> raw) {
			return raw.isArray() ? findOpen(raw.getComponentType(), seen) : findOpen(raw, seen, true);
		}
		if (type instanceof ParameterizedType generic) {
			Type inside = firstOpen(Arrays.stream(generic.getActualTypeArguments()), seen);
			return (inside != null || isContainer((Class<?>) generic.getRawType())) ? inside
					: findOpen((Class<?>) generic.getRawType(), seen, false);
		}
		return (type instanceof GenericArrayType array) ? findOpen(array.getGenericComponentType(), seen) : type;
	}

	private static @Nullable Type findOpen(Class<?> type, Set<Type> seen, boolean raw) {
		if (type.isPrimitive() || type.isEnum()) {
			return null;
		}
		boolean open = type == Object.class || (raw && type.getTypeParameters().length > 0)
				|| (Modifier.isAbstract(type.getModifiers()) && !declaresItsTypes(type));
		if (open) {
			return type;
		}
		// the components of a generic record have type variables
		return (type.isRecord() && raw)
				? firstOpen(Arrays.stream(type.getRecordComponents()).map(RecordComponent::getGenericType), seen)
				: null;
	}

	private static @Nullable Type firstOpen(Stream<Type> types, Set<Type> seen) {
		return types.flatMap((type) -> Stream.ofNullable(findOpen(type, seen))).findFirst().orElse(null);
	}

	private static boolean isContainer(Class<?> type) {
		return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type) || type == Optional.class;
	}

	private static boolean declaresItsTypes(Class<?> type) {
		boolean time = type.getName().startsWith("java.time.");
		return time || Arrays.stream(type.getAnnotations())
			.anyMatch((annotation) -> TYPE_INFO.contains(annotation.annotationType().getName()));
	}

}
