package io.github.lockboot.cache.codec;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * Tells types that say what a value is from open ones, whose values would come back as
 * something else: {@code Object}, an interface, a wildcard.
 *
 * @since 1.0.0
 */
@Internal
public final class ValueTypes {

	private static final Set<String> TYPE_INFO = Set.of("com.fasterxml.jackson.annotation.JsonTypeInfo",
			"com.fasterxml.jackson.databind.annotation.JsonDeserialize",
			"tools.jackson.databind.annotation.JsonDeserialize");

	private ValueTypes() {
	}

	/**
	 * Find what is open in a type, also in its arguments and the components of records.
	 * @param type the type
	 * @return the open type, or {@code null} if all is said
	 */
	public static @Nullable Type findOpen(Type type) {
		return findOpen(type, new HashSet<>());
	}

	private static @Nullable Type findOpen(Type type, Set<Type> seen) {
		if (!seen.add(type)) {
			return null;
		}
		if (type instanceof Class<?> raw) {
			return findOpen(raw, seen);
		}
		if (type instanceof ParameterizedType generic) {
			Type inside = firstOpen(Arrays.stream(generic.getActualTypeArguments()), seen);
			return (inside != null || isContainer((Class<?>) generic.getRawType())) ? inside
					: findOpen((Class<?>) generic.getRawType(), seen, false);
		}
		return (type instanceof GenericArrayType array) ? findOpen(array.getGenericComponentType(), seen) : type;
	}

	private static @Nullable Type findOpen(Class<?> type, Set<Type> seen) {
		if (type.isArray()) {
			return findOpen(type.getComponentType(), seen);
		}
		return findOpen(type, seen, true);
	}

	private static @Nullable Type findOpen(Class<?> type, Set<Type> seen, boolean raw) {
		if (type.isPrimitive() || type.isEnum()) {
			return null;
		}
		boolean open = type == Object.class || (raw && type.getTypeParameters().length > 0)
				|| (Modifier.isAbstract(type.getModifiers()) && !saysItsTypes(type));
		if (open) {
			return type;
		}
		// the components of a generic record have type variables
		return (type.isRecord() && raw)
				? firstOpen(Arrays.stream(type.getRecordComponents()).map(RecordComponent::getGenericType), seen)
				: null;
	}

	private static @Nullable Type firstOpen(Stream<Type> types, Set<Type> seen) {
		return types.map((type) -> Optional.ofNullable(findOpen(type, seen)))
			.flatMap(Optional::stream)
			.findFirst()
			.orElse(null);
	}

	private static boolean isContainer(Class<?> type) {
		return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type) || type == Optional.class;
	}

	private static boolean saysItsTypes(Class<?> type) {
		boolean ofTheTime = type.getName().startsWith("java.time.");
		return ofTheTime || Arrays.stream(type.getAnnotations())
			.anyMatch((annotation) -> TYPE_INFO.contains(annotation.annotationType().getName()));
	}

}
