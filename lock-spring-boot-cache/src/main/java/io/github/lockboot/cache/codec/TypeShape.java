package io.github.lockboot.cache.codec;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;

/**
 * Computes a number for the shape of a type: names and types of its fields, deeply, but
 * no names of application classes. The number of a class does not change with its name,
 * but with its fields, so that payloads of the old class are misses.
 */
@Internal
public final class TypeShape {

	private static final boolean JACKSON = ClassUtils.isPresent("com.fasterxml.jackson.annotation.JsonSubTypes",
			TypeShape.class.getClassLoader());

	private static final int MAX_DEPTH = 100;

	/** The types so far, in the order in which they were found. */
	private final Map<String, Integer> seen = new HashMap<>();

	private final StringBuilder text = new StringBuilder();

	private int depth;

	/** Whether the type contains itself with other type arguments, without end. */
	private boolean endless;

	private TypeShape() {
	}

	public static int of(Type type) {
		TypeShape shape = new TypeShape();
		shape.add("", ResolvableType.forType(type));
		String text = shape.endless ? type.toString() : shape.text.toString();
		CRC32C crc = new CRC32C();
		crc.update(text.getBytes(StandardCharsets.UTF_8));
		return (int) crc.getValue();
	}

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
