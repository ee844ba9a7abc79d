package io.github.lockboot.cache.key;

import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.util.Assert;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

import io.github.lockboot.Internal;
import io.github.lockboot.cache.CacheKey;
import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.cache.codec.ValueTypes;

/**
 * Encodes keys as text, so that two different keys never have the same text. A single
 * string, integer, boolean, date or UUID is written unchanged, so that other programs can
 * find it; a string that looks like one of the others is quoted. Other keys are written
 * as their parts, most of them after the name of their class. Of the classes of Java only
 * few {@linkplain ValueTypes#isKeyOfJava are keys}.
 */
@Internal
public final class KeyEncoder {

	private static final String MARKS = "\"([{~";

	private static final Pattern SCALAR = Pattern
		.compile("-?\\d+|[-+]?\\d{4,}-\\d\\d-\\d\\d|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

	private static final Pattern ESCAPED = Pattern.compile("%[0-9a-fA-F]{2}");

	/** A pattern sees a pair of surrogates as one character. */
	private static final Pattern LONE_SURROGATE = Pattern.compile("[\\x{d800}-\\x{dfff}]");

	/** Methods that are internal, or of inline classes, have a suffix. */
	private static final Pattern COMPONENT = Pattern.compile("component(\\d+)([$-].*)?");

	private static final int LENGTH_OF_DIGEST = 64;

	private static final int MAX_DEPTH = 100;

	/** How many parts contain the part that is encoded now. */
	private int depth;

	private KeyEncoder() {
	}

	/**
	 * Encode the key of a caller.
	 * @throws CacheKeyException if the key is {@code null}, since all callers would share
	 * one entry, or if the class of the key or of a part does not show what its equality
	 * depends on
	 */
	public static String of(String cacheName, @Nullable Object key) {
		try {
			Assert.notNull(key, "It is null");
			return of(key);
		}
		catch (IllegalArgumentException | InaccessibleObjectException ex) {
			throw new CacheKeyException(cacheName,
					"A key of cache '" + cacheName + "' can't be used. " + ex.getMessage(), null);
		}
	}

	static String of(Object key) {
		if (key instanceof EncodedKey encoded) {
			return encoded.text();
		}
		if (key instanceof String || key instanceof Character) {
			String text = key.toString();
			return isUnambiguous(text) ? text : quoted(text);
		}
		return new KeyEncoder().part(key);
	}

	/** Return whether no other key has this text. */
	private static boolean isUnambiguous(String text) {
		if (text.isEmpty()) {
			return true;
		}
		char first = text.charAt(0);
		return MARKS.indexOf(first) < 0 && text.charAt(text.length() - 1) != ')' && !isScalar(text)
				&& !endsLikeADigest(text) && !hasLoneSurrogate(text);
	}

	/**
	 * Return whether a text looks like a number, a date or another scalar. Most texts
	 * soon have another character, which is faster to see than by the pattern.
	 */
	private static boolean isScalar(String text) {
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			if (!(character >= '0' && character <= '9') && !(character >= 'a' && character <= 'f') && character != '-'
					&& character != '+') {
				return text.equals("true") || text.equals("false");
			}
		}
		return SCALAR.matcher(text).matches();
	}

	/** Return whether a text ends as long keys do in Redis. */
	private static boolean endsLikeADigest(String text) {
		return text.length() > LENGTH_OF_DIGEST && text.charAt(text.length() - LENGTH_OF_DIGEST - 1) == '~';
	}

	/**
	 * Return whether a text has a lone surrogate, which UTF-8 encodes as a question mark,
	 * whatever the surrogate.
	 */
	private static boolean hasLoneSurrogate(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (Character.isSurrogate(text.charAt(i))) {
				return LONE_SURROGATE.matcher(text).find();
			}
		}
		return false;
	}

	private static String quoted(String text) {
		String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"");
		return '"' + (hasLoneSurrogate(escaped) ? withoutLoneSurrogates(escaped) : escaped) + '"';
	}

	private static String withoutLoneSurrogates(String text) {
		return LONE_SURROGATE.matcher(text)
			.replaceAll((found) -> "\\\\u" + HexFormat.of().toHexDigits(found.group().charAt(0)));
	}

	private String part(@Nullable Object part) {
		if (part == null) {
			return "~";
		}
		if (part instanceof String || part instanceof Character) {
			return quoted(part.toString());
		}
		boolean integer = part instanceof Integer || part instanceof Long || part instanceof Short
				|| part instanceof Byte || part.getClass() == BigInteger.class;
		boolean scalar = integer || part instanceof Boolean || part instanceof UUID || part instanceof LocalDate;
		return scalar ? part.toString() : nested(part);
	}

	/**
	 * Encode a part, and reject parts that are nested too deeply: a stack overflow could
	 * interrupt the initialization of a class, which this JVM could never use again.
	 */
	private String nested(Object part) {
		Assert.isTrue(this.depth < MAX_DEPTH, "It contains itself, or has more than " + MAX_DEPTH + " levels");
		this.depth++;
		String text = composed(part);
		this.depth--;
		return text;
	}

	private String composed(Object part) {
		if (part instanceof CacheKey key) {
			return joined(key.parts().stream(), "(", ")");
		}
		if (part instanceof SimpleKey key) {
			return composed(CacheKey.of(partsOf(key)));
		}
		if (part instanceof Set<?> set) {
			return set.stream().map(this::part).sorted().collect(Collectors.joining(",", "{", "}"));
		}
		if (part instanceof Collection<?> several) {
			Assert.isTrue(isOrdered(several), () -> refusal(part, "since its elements have no order"));
			return joined(several.stream(), "[", "]");
		}
		if (ObjectUtils.isArray(part)) {
			return joined(Arrays.stream(ObjectUtils.toObjectArray(part)), "[", "]");
		}
		if (part instanceof Map<?, ?> map) {
			return map.isEmpty() ? "{=}"
					: map.entrySet().stream().map(this::pair).sorted().collect(Collectors.joining(",", "{", "}"));
		}
		return (part instanceof Map.Entry<?, ?> entry) ? "(" + pair(entry) + ")" : named(part);
	}

	/**
	 * Return the parts of a key of Spring, whose text is the same for {@code ("a, b",
	 * "c")} and {@code ("a", "b, c")}.
	 */
	private static Object[] partsOf(SimpleKey key) {
		Field parts = ReflectionUtils.findField(SimpleKey.class, "params", Object[].class);
		Assert.state(parts != null, "This version of Spring does not show the parts of a SimpleKey. Name a key");
		return (Object[]) Objects.requireNonNull(valueOf(parts, key));
	}

	/** Return whether a collection has an order, unlike the values of a map. */
	private static boolean isOrdered(Collection<?> several) {
		boolean queue = several instanceof Queue && !several.getClass().getSimpleName().startsWith("Priority");
		return queue || ValueTypes.declares(several.getClass(), "equals", Object.class);
	}

	private String pair(Map.Entry<?, ?> entry) {
		return part(entry.getKey()) + "=" + part(entry.getValue());
	}

	private String joined(Stream<?> parts, String before, String after) {
		return parts.map(this::part).collect(Collectors.joining(",", before, after));
	}

	/** Write the name of the class, and the parts. */
	private String named(Object part) {
		if (part instanceof Enum<?> constant) {
			return constant.getDeclaringClass().getName() + "(" + constant.name() + ")";
		}
		Class<?> type = part.getClass();
		if (ValueTypes.isOfJava(type)) {
			return joined(partsOfJava(part), nameOf(part) + "(", ")");
		}
		return type.getName() + (type.isRecord() ? joined(
				// not what its accessors make of them
				Arrays.stream(type.getRecordComponents()).map((component) -> valueOf(fieldOf(type, component), part)),
				"(", ")") : state(part));
	}

	private static Field fieldOf(Class<?> type, RecordComponent component) {
		return Objects.requireNonNull(ReflectionUtils.findField(type, component.getName()));
	}

	/** Return the name of the class; the dates of SQL equal other dates. */
	private static String nameOf(Object part) {
		boolean date = part instanceof Date && !isTimestamp(part);
		return date ? Date.class.getName() : part.getClass().getName();
	}

	private static boolean isTimestamp(Object part) {
		return part.getClass().getName().equals("java.sql.Timestamp");
	}

	/** Return what the equality of an object of Java depends on. */
	private static Stream<?> partsOfJava(Object part) {
		if (part instanceof Optional<?> optional) {
			return optional.stream();
		}
		if (part instanceof Date date) {
			// the dates of SQL cannot be converted to instants
			Instant instant = isTimestamp(part) ? date.toInstant() : Instant.ofEpochMilli(date.getTime());
			return Stream.of(instant.toString());
		}
		if (part instanceof Class<?> type) {
			return Stream.of(type.getName());
		}
		if (part instanceof InetAddress address) {
			return Stream.of(address.getAddress());
		}
		if (part instanceof Locale locale) {
			Map<Character, String> extensions = locale.getExtensionKeys()
				.stream()
				.collect(Collectors.toMap((key) -> key, locale::getExtension));
			return Stream.of(locale.getLanguage(), locale.getScript(), locale.getCountry(), locale.getVariant(),
					extensions);
		}
		if (part instanceof URI uri) {
			return partsOf(uri);
		}
		Assert.isTrue(ValueTypes.isKeyOfJava(part.getClass()),
				() -> refusal(part, "since it is not one of the classes of Java that can"));
		return Stream.of(part.toString());
	}

	/**
	 * Return the parts of a URI, whose equality ignores the case of the scheme, the host,
	 * and escaped characters.
	 */
	private static Stream<@Nullable Object> partsOf(URI uri) {
		boolean server = uri.getHost() != null;
		return Stream.of(lower(uri.getScheme()), uri.isOpaque() ? escaped(uri.getRawSchemeSpecificPart()) : null,
				server ? escaped(uri.getRawUserInfo()) : escaped(uri.getRawAuthority()), lower(uri.getHost()),
				uri.getPort(), escaped(uri.getRawPath()), escaped(uri.getRawQuery()), escaped(uri.getRawFragment()));
	}

	private static @Nullable String lower(@Nullable String text) {
		return (text != null) ? text.toLowerCase(Locale.ROOT) : null;
	}

	private static @Nullable String escaped(@Nullable String text) {
		return (text != null) ? ESCAPED.matcher(text).replaceAll((found) -> found.group().toUpperCase(Locale.ROOT))
				: null;
	}

	private String state(Object part) {
		Assert.isTrue(
				ValueTypes.declares(part.getClass(), "equals", Object.class) && !Proxy.isProxyClass(part.getClass()),
				() -> refusal(part, "since it has no equals() of its own"));
		List<Method> components = components(part.getClass());
		return components.isEmpty()
				? fields(part, part.getClass()).stream()
					.map((field) -> field.getName() + "=" + part(valueOf(field, part)))
					.collect(Collectors.joining(",", "(", ")"))
				: joined(components.stream().map((component) -> valueOf(component, part)), "(", ")");
	}

	/**
	 * Return the components of a data class of Kotlin, in order; none for other classes.
	 */
	private static List<Method> components(Class<?> type) {
		Method[] methods = type.getDeclaredMethods();
		boolean ofData = Arrays.stream(methods).anyMatch((method) -> method.getName().equals("copy$default"));
		return ofData ? Arrays.stream(methods)
			.filter((method) -> method.getParameterCount() == 0 && COMPONENT.matcher(method.getName()).matches())
			.sorted(Comparator.comparing(KeyEncoder::numberOf))
			.toList() : List.of();
	}

	private static int numberOf(Method component) {
		return Integer.parseInt(COMPONENT.matcher(component.getName()).replaceFirst("$1"));
	}

	private static List<Field> fields(Object part, Class<?> type) {
		if (type == Object.class) {
			return new ArrayList<>();
		}
		Assert.isTrue(!ValueTypes.isOfJava(type), () -> refusal(part, "since it extends " + type.getName()));
		List<Field> fields = fields(part, type.getSuperclass());
		Arrays.stream(type.getDeclaredFields())
			.filter((field) -> !Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers()))
			.sorted(Comparator.comparing(Field::getName))
			.forEach(fields::add);
		fields.forEach((field) -> Assert.isTrue(Modifier.isFinal(field.getModifiers()) || isShown(field),
				// such as a cached hash code
				() -> refusal(part, "since its field " + field.getName()
						+ " is neither final nor has a getter, and may be no part of its value")));
		return fields;
	}

	private static boolean isShown(Field field) {
		String name = field.getName();
		return Stream.of(name, "get" + StringUtils.capitalize(name), "is" + StringUtils.capitalize(name))
			.map((getter) -> ReflectionUtils.findMethod(field.getDeclaringClass(), getter))
			.anyMatch((getter) -> getter != null && !ReflectionUtils.isObjectMethod(getter));
	}

	private static String refusal(Object part, String reason) {
		return "A " + part.getClass().getName() + " can't be a key of the cache, " + reason
				+ ". Use its properties, or make it a record";
	}

	private static @Nullable Object valueOf(Method accessor, Object part) {
		ReflectionUtils.makeAccessible(accessor);
		return ReflectionUtils.invokeMethod(accessor, part);
	}

	private static @Nullable Object valueOf(Field field, Object part) {
		ReflectionUtils.makeAccessible(field);
		return ReflectionUtils.getField(field, part);
	}

	/**
	 * The text of a key as it was at a call, since what the key consists of may change
	 * later.
	 */
	public record EncodedKey(String text) {

		public static EncodedKey of(String cacheName, Object key) {
			return new EncodedKey(KeyEncoder.of(cacheName, key));
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

}
