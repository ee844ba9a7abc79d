package io.github.lockboot.cache.codec;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

import org.springframework.core.ResolvableType;

import io.github.lockboot.Internal;

/**
 * A number for the shape of a type: names and types of its parts, deeply, but no names of
 * application classes. The number of a class does not change with its name, but with its
 * parts, so that payloads of the old class are misses.
 *
 * @param text what is not a part: the name of a class of Java, or the constants of an
 * enum
 * @param parts elements, properties, and subtypes
 */
@Internal
public record TypeShape<T>(String text, Stream<Part<T>> parts) {

	/** Return the number of a type by its fields, the same in every JVM. */
	public static int of(Type type) {
		return of(ResolvableType.forType(type), TypeShape::ofFields);
	}

	/**
	 * Return the number of a type.
	 * @param shape returns the shape of a type; parts with the same name are in the same
	 * order in every JVM
	 */
	static <T> int of(T type, Function<T, TypeShape<T>> shape) {
		StringBuilder text = new StringBuilder();
		try {
			add(type, shape, text, new HashMap<>());
		}
		catch (StackOverflowError ex) {
			// it contains itself with other type arguments, without end
			return of(String.valueOf(type), (name) -> new TypeShape<>(name, Stream.empty()));
		}
		CRC32C crc = new CRC32C();
		crc.update(text.toString().getBytes(StandardCharsets.UTF_8));
		return (int) crc.getValue();
	}

	private static <T> void add(T type, Function<T, TypeShape<T>> shape, StringBuilder text,
			Map<String, Integer> seen) {
		Integer before = seen.putIfAbsent(String.valueOf(type), seen.size());
		if (before != null) {
			text.append('^').append(before).append(';');
			return;
		}
		TypeShape<T> found = shape.apply(type);
		text.append(found.text).append('{');
		found.parts.sorted(Comparator.comparing(Part::name)).forEach((part) -> {
			text.append(part.name()).append(':');
			add(part.type(), shape, text, seen);
		});
		text.append("};");
	}

	private static TypeShape<ResolvableType> ofFields(ResolvableType type) {
		Class<?> raw = type.toClass();
		if (raw.isArray()) {
			return new TypeShape<>("[", elements(Stream.of(type.getComponentType())));
		}
		if (raw.isEnum()) {
			Stream<String> names = Arrays.stream(raw.getEnumConstants()).map((constant) -> ((Enum<?>) constant).name());
			return new TypeShape<>(names.toList().toString(), Stream.empty());
		}
		if (ValueTypes.isOfJava(raw)) {
			return new TypeShape<>(raw.getName(), elements(Stream.of(type.getGenerics())));
		}
		Stream<ResolvableType> arguments = Stream.of(type.as(Collection.class), type.as(Map.class))
			.flatMap((container) -> Stream.of(container.getGenerics()));
		Stream<Part<ResolvableType>> fields = ValueTypes.state(raw)
			.map((field) -> new Part<>(field.getName(), ResolvableType.forField(field, type)));
		return new TypeShape<>("", Stream.concat(elements(arguments), fields));
	}

	/** Returns the parts of a container. */
	static <T> Stream<Part<T>> elements(Stream<T> types) {
		return types.map((type) -> new Part<>("", type));
	}

	record Part<T>(String name, T type) {

	}

}
