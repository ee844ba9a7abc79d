package io.github.lockboot.expression;

import java.io.File;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.xml.datatype.XMLGregorianCalendar;

import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Writes a value as the text of a key, which has to be the same on every instance. The
 * text is that of {@code toString()}, unless this depends on the time zone of the JVM, on
 * earlier lookups or on an identity: such a value is written as what it means, or refused
 * with an {@link IllegalArgumentException}. The text of a class of Java is used only if
 * it is known.
 */
final class KeyText {

	/** The types of Java whose text is their value. */
	private static final List<Class<?>> OF_JAVA = List.of(CharSequence.class, Number.class, Boolean.class,
			Character.class, UUID.class, TemporalAccessor.class, TemporalAmount.class, ZoneId.class, URI.class,
			URL.class, Path.class, File.class, Locale.class, Currency.class, Charset.class, Pattern.class, BitSet.class,
			StringJoiner.class, AtomicBoolean.class, Class.class, Member.class, XMLGregorianCalendar.class);

	/** The types of Java whose text is written in another way. */
	private static final List<Class<?>> CONVERTED = List.of(Enum.class, Date.class, Calendar.class, TimeZone.class,
			InetAddress.class, Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class);

	/** The collections that always return their elements in the same order. */
	private static final List<Class<?>> ORDERED = List.of(SortedSet.class, SortedMap.class, LinkedHashSet.class,
			LinkedHashMap.class, EnumSet.class, EnumMap.class);

	private static final int MAX_DEPTH = 5;

	private KeyText() {
	}

	/** Return the text of a key that is one value. */
	static String of(@Nullable Object value) {
		String text = write(value);
		Assert.isTrue(StringUtils.hasText(text), "is blank");
		return text;
	}

	/** Return the text of one value as part of a longer text. */
	static String write(@Nullable Object value) {
		if (value instanceof String || value instanceof Long || value instanceof Integer) {
			return value.toString();
		}
		Object single = unwrap(value);
		Assert.notNull(single, "is null");
		Assert.isTrue(!isSeveral(single), () -> several(
				(single instanceof Map) ? "a map" : (single instanceof Collection) ? "a collection" : "an array"));
		String text = textOf(single);
		String part = isOfJava(single) ? null : changingPart(single, text, 0);
		Assert.isTrue(part == null, () -> "is a " + name(single) + " whose text contains " + part
				+ ", which differs between JVMs. Use its other properties");
		return text;
	}

	/**
	 * Return whether a type of Java is known as a key, in addition to those of several
	 * keys.
	 */
	static boolean isKeyOfJava(Class<?> type) {
		return Stream.of(OF_JAVA, CONVERTED).flatMap(List::stream).anyMatch((known) -> known.isAssignableFrom(type));
	}

	static boolean isSeveral(Object value) {
		return value instanceof Collection || value instanceof Map || ObjectUtils.isArray(value);
	}

	/**
	 * Return the elements of an array as keys.
	 * @throws IllegalArgumentException for an array that is one value, such as bytes
	 */
	static List<@Nullable Object> elements(Object array) {
		String problem = problemOf(array.getClass(), true);
		Assert.isTrue(problem == null, () -> String.valueOf(problem));
		return Arrays.asList(ObjectUtils.toObjectArray(array));
	}

	/**
	 * Return why no value of a type is a key, or {@code null}.
	 * @param several whether several values are allowed
	 */
	static @Nullable String problemOf(Class<?> type, boolean several) {
		if (type.isArray()) {
			Class<?> element = ClassUtils.resolvePrimitiveIfNecessary(type.getComponentType());
			return (element == Byte.class || element == Character.class) ? "is a " + type.getTypeName()
					+ ", each element of which would be a key of its own. Use a text, such as "
					+ ((element == Byte.class) ? "T(java.util.HexFormat).of().formatHex(...)" : "new String(...)")
					: several ? null : several("an array");
		}
		if (Map.class.isAssignableFrom(type)) {
			return several("a map");
		}
		if (Collection.class.isAssignableFrom(type)) {
			return several ? null : several("a collection");
		}
		boolean open = type.isPrimitive() || Modifier.isAbstract(type.getModifiers()) || type == Object.class;
		return (open || !isOfJava(type) || isKeyOfJava(type)) ? null : unknown(type);
	}

	private static String several(String which) {
		return "is " + which + " where one value is needed. Only a whole key may be a collection or an array";
	}

	private static String unknown(Class<?> type) {
		return "is a " + type.getTypeName()
				+ ", of which no text is known to be the same in every JVM. Use one of its properties";
	}

	private static @Nullable Object unwrap(@Nullable Object value) {
		if (value instanceof Optional<?> optional) {
			Object single = optional.orElse(null);
			Assert.isTrue(!(single instanceof Optional), "has no text: an Optional inside an Optional");
			return (single != null && unboxing(single) != null) ? unwrap(single) : single;
		}
		Method unboxing = (value != null) ? unboxing(value) : null;
		if (unboxing != null) {
			ReflectionUtils.makeAccessible(unboxing);
			return unwrap(ReflectionUtils.invokeMethod(unboxing, value));
		}
		if (value instanceof OptionalInt number) {
			return number.isPresent() ? number.getAsInt() : null;
		}
		if (value instanceof OptionalLong number) {
			return number.isPresent() ? number.getAsLong() : null;
		}
		if (value instanceof OptionalDouble number) {
			return number.isPresent() ? number.getAsDouble() : null;
		}
		return value;
	}

	/** Find the value of a Kotlin value class, which it is as an argument of its own. */
	private static @Nullable Method unboxing(Object value) {
		return KotlinDetector.isKotlinType(value.getClass())
				? ClassUtils.getMethodIfAvailable(value.getClass(), "unbox-impl") : null;
	}

	private static String textOf(Object value) {
		if (value instanceof Enum<?> constant) {
			return constant.name();
		}
		if (value instanceof Date date) {
			return textOf(date);
		}
		if (value instanceof Calendar calendar) {
			return calendar.toInstant().toString();
		}
		if (value instanceof TimeZone zone) {
			return zone.getID();
		}
		if (value instanceof InetAddress address) {
			String text = address.getHostAddress(); // a scope is a number of this machine
			return text.contains("%") ? text.substring(0, text.indexOf('%')) : text;
		}
		return isOfJava(value) ? textOfJava(value) : textOfOwn(value);
	}

	/**
	 * Return the instant; but the dates and times of SQL are local, and have no instant.
	 */
	private static String textOf(Date date) {
		try {
			return date.toInstant().toString();
		}
		catch (UnsupportedOperationException ex) {
			String local = date.toString();
			long millis = Math.floorMod(date.getTime(), 1000L);
			return (millis > 0 && local.contains(":")) ? local + "." + String.valueOf(1000 + millis).substring(1)
					: local;
		}
	}

	private static String textOfJava(Object value) {
		boolean number = !(value instanceof Double || value instanceof Float)
				|| Double.isFinite(((Number) value).doubleValue());
		Assert.isTrue(number, () -> "is " + value + ", which is not a number");
		boolean generated = value instanceof Class<?> type && (type.isHidden() || Proxy.isProxyClass(type));
		Assert.isTrue(!generated && isKeyOfJava(value.getClass()), () -> unknown(value.getClass()));
		return value.toString();
	}

	/** Return the text of an object of the application or of a library. */
	private static String textOfOwn(Object value) {
		Assert.isTrue(!(value instanceof Iterable && name(value).startsWith("org.springframework.data.")),
				() -> "is a " + name(value) + " whose text does not have its elements. Use its content");
		String text;
		try {
			text = String.valueOf(value.toString());
		}
		catch (RuntimeException ex) {
			throw new IllegalArgumentException("has no text: " + ex, ex);
		}
		// behind a proxy the text has the name of another class, and the same hash code
		boolean identity = text.endsWith("@" + Integer.toHexString(value.hashCode())) && text.matches("[\\w.$/]+@\\w+");
		Assert.isTrue(!identity, () -> "is a " + name(value)
				+ " without a toString() of its own, which differs in every JVM. Use one of its properties");
		return text;
	}

	/**
	 * Return the field of an object, or of a record inside, that is unlike a key and
	 * whose text is part of a text, or {@code null}. A {@code toString()} that the
	 * compiler has written contains all fields.
	 */
	private static @Nullable String changingPart(Object whole, String text, int depth) {
		List<String> found = new ArrayList<>();
		ReflectionUtils.doWithFields(whole.getClass(), (field) -> {
			Object part = (found.isEmpty() && field.trySetAccessible()) ? field.get(whole) : null;
			if (part != null && changes(part, text, depth)) {
				found.add("its field '" + field.getName() + "' of the type " + name(part));
			}
		}, (field) -> !Modifier.isStatic(field.getModifiers()) && !isOfJava(field.getDeclaringClass()));
		return found.isEmpty() ? null : found.get(0);
	}

	private static boolean changes(Object part, String text, int depth) {
		if (part instanceof Optional<?> optional) {
			return optional.isPresent() && changes(optional.get(), text, depth);
		}
		if (isOfJava(part) && (part instanceof Collection || part instanceof Map)) {
			Collection<?> elements = (part instanceof Map<?, ?> map) ? entries(map) : (Collection<?>) part;
			boolean ordered = part instanceof List || elements.size() < 2
					|| ORDERED.stream().anyMatch((type) -> type.isInstance(part));
			return elements.stream().anyMatch((element) -> element != null && changes(element, text, depth))
					|| (!ordered && text.contains(part.toString()));
		}
		if (isOfJava(part) || declaresNoText(part)) {
			return !isKey(part) && text.contains(part.toString());
		}
		boolean shown = part.getClass().isRecord() || (KotlinDetector.isKotlinType(part.getClass())
				&& ClassUtils.hasMethod(part.getClass(), "component1"));
		return shown && depth < MAX_DEPTH && changingPart(part, text, depth + 1) != null;
	}

	private static Collection<?> entries(Map<?, ?> map) {
		return map.entrySet().stream().flatMap((entry) -> Stream.of(entry.getKey(), entry.getValue())).toList();
	}

	/** Return whether the text of an object is the same in every JVM. */
	private static boolean isKey(Object value) {
		try {
			return !ObjectUtils.isArray(value) && textOf(value).equals(value.toString());
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	private static boolean declaresNoText(Object value) {
		return ClassUtils.getMethod(value.getClass(), "toString").getDeclaringClass() == Object.class;
	}

	/** Return whether an object has the text of a class of Java, maybe a superclass. */
	private static boolean isOfJava(Object value) {
		Class<?> declaring = ClassUtils.getMethod(value.getClass(), "toString").getDeclaringClass();
		return isOfJava((declaring != Object.class) ? declaring : value.getClass());
	}

	private static boolean isOfJava(Class<?> type) {
		String module = type.getModule().getName();
		return module != null && (module.startsWith("java.") || module.startsWith("jdk.")) && !Proxy.isProxyClass(type);
	}

	private static String name(Object value) {
		return value.getClass().getTypeName();
	}

}
