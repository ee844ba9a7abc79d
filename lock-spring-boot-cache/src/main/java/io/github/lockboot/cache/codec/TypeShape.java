package io.github.lockboot.cache.codec;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

import org.springframework.core.ResolvableType;

import io.github.lockboot.Internal;

/**
 * A number for the shape of a type: names and types of fields, deeply, but no names of
 * application classes. The number of a class does not change with its name, but with its
 * fields, so that payloads of the old class are misses.
 */
@Internal
public final class TypeShape {

	private final StringBuilder text = new StringBuilder();

	private final Set<Class<?>> seen = new HashSet<>();

	private TypeShape() {
	}

	/** Return the number of a type, the same in every JVM. */
	public static int of(Type type) {
		TypeShape shape = new TypeShape();
		shape.add(ResolvableType.forType(type));
		return digest(shape.text.toString());
	}

	static int digest(String text) {
		CRC32C crc = new CRC32C();
		crc.update(text.getBytes(StandardCharsets.UTF_8));
		return (int) crc.getValue();
	}

	private void add(ResolvableType type) {
		Class<?> raw = type.toClass();
		if (raw.isArray()) {
			this.text.append('[');
			add(type.getComponentType());
		}
		else if (raw.isEnum()) {
			this.text
				.append(Arrays.stream(raw.getEnumConstants()).map((constant) -> ((Enum<?>) constant).name()).toList());
		}
		else if (raw.isPrimitive() || raw.getName().startsWith("java")) {
			this.text.append(raw.getName());
			addArguments(type);
		}
		else {
			addArguments(type);
			addArguments(type.as(Collection.class));
			addArguments(type.as(Map.class));
			addFields(raw);
		}
		this.text.append(';');
	}

	private void addArguments(ResolvableType type) {
		for (ResolvableType argument : type.getGenerics()) {
			add(argument);
		}
	}

	private void addFields(Class<?> raw) {
		if (!this.seen.add(raw)) {
			this.text.append('^');
			return;
		}
		this.text.append('{');
		fields(raw).forEach((field) -> {
			this.text.append(field.getName()).append(':');
			add(ResolvableType.forField(field));
		});
		this.text.append('}');
	}

	private static Stream<Field> fields(Class<?> raw) {
		Stream<Field> inherited = (raw.getSuperclass() != null && raw.getSuperclass() != Object.class)
				? fields(raw.getSuperclass()) : Stream.empty();
		return Stream.concat(inherited,
				Arrays.stream(raw.getDeclaredFields())
					.filter((field) -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()
							&& !Modifier.isTransient(field.getModifiers()))
					.sorted(Comparator.comparing(Field::getName)));
	}

}
