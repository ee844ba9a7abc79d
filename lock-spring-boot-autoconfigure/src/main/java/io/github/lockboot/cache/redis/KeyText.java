package io.github.lockboot.cache.redis;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Arrays;
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.cache.CacheKey;
import io.github.lockboot.cache.CacheKeyException;

/**
 * Writes keys so that different ones never look the same. A single text, number or
 * constant is written as it is, for other programs to find; in everything that has parts
 * texts stand in quotes, and a null is {@code ~}.
 */
final class KeyText {

	private static final String MARKS = "\"([{~";

	private KeyText() {
	}

	/**
	 * Return the text of a caller's key.
	 * @throws CacheKeyException if it is {@code null}, for then all callers would share
	 * one entry; or if it, or a part of it, is of a class whose text or equality is not
	 * its own
	 */
	static String of(String cacheName, @Nullable Object key) {
		try {
			Assert.notNull(key, "It is null");
			return of(key);
		}
		catch (IllegalArgumentException ex) {
			throw new CacheKeyException(cacheName,
					"A key of cache '" + cacheName + "' can't be used. " + ex.getMessage(), null);
		}
	}

	/**
	 * Return the text of a key.
	 * @throws IllegalArgumentException if the key, or a part of it, is of a class whose
	 * text or equality is not its own
	 */
	static String of(Object key) {
		if (key instanceof CharSequence || key instanceof Character) {
			String text = key.toString();
			return (text.isEmpty() || MARKS.indexOf(text.charAt(0)) < 0) ? text : quoted(text);
		}
		return part(key);
	}

	private static String part(@Nullable Object part) {
		if (part == null) {
			return "~";
		}
		if (part instanceof CharSequence || part instanceof Character) {
			return quoted(part.toString());
		}
		if (part instanceof Enum<?> constant) {
			return constant.name();
		}
		if (part instanceof Date date) {
			return date.toInstant().toString();
		}
		if (part instanceof Class<?> type) {
			return type.getName();
		}
		return isPlain(part) ? part.toString() : composed(part);
	}

	private static boolean isPlain(Object part) {
		return part instanceof Number || part instanceof UUID || part instanceof TemporalAccessor
				|| part instanceof TemporalAmount || part instanceof Boolean || part instanceof Locale
				|| part instanceof Currency || part instanceof URI;
	}

	private static String composed(Object part) {
		if (part instanceof CacheKey key) {
			return "(" + joined(key.parts()) + ")";
		}
		if (part instanceof Optional<?> optional) {
			return optional.map((value) -> "[" + part(value) + "]").orElse("[]");
		}
		if (part instanceof Set<?> set) {
			return set.stream().map(KeyText::part).sorted().collect(Collectors.joining(",", "{", "}"));
		}
		if (part instanceof Collection<?> several) {
			return "[" + joined(several) + "]";
		}
		if (ObjectUtils.isArray(part)) {
			return "[" + joined(Arrays.asList(ObjectUtils.toObjectArray(part))) + "]";
		}
		if (part instanceof Map<?, ?> map) {
			return map.entrySet()
				.stream()
				.map((entry) -> part(entry.getKey()) + "=" + part(entry.getValue()))
				.sorted()
				.collect(Collectors.joining(",", "{", "}"));
		}
		return part.getClass().isRecord() ? record(part) : own(part);
	}

	private static String record(Object part) {
		String name = part.getClass().getName();
		return name.substring(name.lastIndexOf('.') + 1) + "("
				+ Arrays.stream(part.getClass().getRecordComponents())
					.map((component) -> part(valueOf(component, part)))
					.collect(Collectors.joining(","))
				+ ")";
	}

	private static @Nullable Object valueOf(RecordComponent component, Object part) {
		ReflectionUtils.makeAccessible(component.getAccessor());
		return ReflectionUtils.invokeMethod(component.getAccessor(), part);
	}

	private static String own(Object part) {
		Assert.isTrue(declares(part, "toString") && declares(part, "equals", Object.class),
				() -> "A " + part.getClass().getName() + " can't be a key of the cache, since it has no toString() and"
						+ " equals() of its own; use its properties, or make it a record");
		return quoted(part.toString());
	}

	private static boolean declares(Object part, String method, Class<?>... parameters) {
		Method found = ReflectionUtils.findMethod(part.getClass(), method, parameters);
		return found != null && found.getDeclaringClass() != Object.class;
	}

	private static String joined(Collection<?> parts) {
		return parts.stream().map(KeyText::part).collect(Collectors.joining(","));
	}

	private static String quoted(String text) {
		return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
	}

}
