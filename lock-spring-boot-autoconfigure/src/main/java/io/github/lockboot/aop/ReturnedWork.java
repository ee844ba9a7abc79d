package io.github.lockboot.aop;

import java.io.InputStream;
import java.io.Reader;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.nio.Buffer;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Clock;
import java.time.ZoneId;
import java.time.chrono.Chronology;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.BaseStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;

/**
 * Finds results that hand work out: the work would run after the method has returned, and
 * nothing shows its end. A type of Java, Spring, Reactor or Kotlin is such a result
 * unless it is listed as a value. A type of the application is one if it has a supertype
 * that is listed as work.
 */
@Internal
public final class ReturnedWork {

	/** The types whose objects are values, with their subtypes. */
	private static final List<Class<?>> VALUES = List.of(CharSequence.class, Number.class, Boolean.class,
			Character.class, Enum.class, Record.class, Void.class, Class.class, Throwable.class, Collection.class,
			Map.class, Map.Entry.class, Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class,
			BitSet.class, Date.class, Calendar.class, TimeZone.class, TemporalAccessor.class, TemporalAmount.class,
			Clock.class, ZoneId.class, Chronology.class, BigDecimal.class, BigInteger.class, UUID.class, Locale.class,
			Currency.class, Charset.class, Pattern.class, URI.class, URL.class, InetAddress.class, Path.class,
			java.io.File.class, Buffer.class, AtomicBoolean.class, AtomicReference.class, Principal.class);

	/** The types of which anything may be a subtype: the value of a call decides. */
	private static final List<Class<?>> OPEN = List.of(Object.class, Comparable.class, Serializable.class,
			Cloneable.class, Iterable.class, AutoCloseable.class, java.io.Closeable.class);

	/** The values of Spring and Kotlin; a name that ends with a dot is a package. */
	private static final List<String> OTHER_VALUES = List.of("org.springframework.data.domain.",
			"org.springframework.data.geo.", "org.springframework.http.", "org.springframework.ui.",
			"org.springframework.hateoas.", "org.springframework.batch.", "org.springframework.security.",
			"org.springframework.util.", "org.springframework.messaging.Message",
			"org.springframework.messaging.support.", "org.springframework.web.servlet.ModelAndView",
			"org.springframework.boot.health.", "org.springframework.boot.actuate.health.", "kotlin.Unit",
			"kotlin.Pair", "kotlin.Triple", "kotlin.Result", "kotlin.UInt", "kotlin.ULong", "kotlin.UByte",
			"kotlin.UShort", "kotlin.time.", "kotlin.uuid.", "kotlin.ranges.", "kotlin.text.", "kotlin.collections.",
			"kotlinx.datetime.");

	/** The types whose objects are work, or produce their elements when they are read. */
	private static final List<Class<?>> WORK = List.of(Runnable.class, Callable.class, Future.class,
			CompletionStage.class, Flow.Publisher.class, Iterator.class, Spliterator.class, Enumeration.class,
			BaseStream.class, InputStream.class, Reader.class);

	private static final List<String> OTHER_WORK = List.of("java.util.function.", "kotlin.Function",
			"kotlin.jvm.functions.", "kotlin.sequences.", "kotlinx.coroutines.", "org.reactivestreams.",
			"org.springframework.web.context.request.async.", "org.springframework.web.servlet.mvc.method.annotation.",
			"org.springframework.data.util.Streamable");

	private static final List<String> LISTED = List.of("java.", "javax.", "jdk.", "sun.", "org.springframework.",
			"reactor.", "org.reactivestreams.", "kotlin.", "kotlinx.");

	private ReturnedWork() {
	}

	/**
	 * Check the declared result of a method, and what it contains.
	 * @param kind how the result itself shows its end
	 * @throws IllegalArgumentException if the method hands work out
	 */
	static void check(Method method, ResultKind kind, boolean suspending, String subject) {
		ResolvableType result = ResolvableType.forType(new MethodParameter(method, -1).getGenericParameterType());
		boolean shown = kind != ResultKind.PLAIN && !(suspending && !isFlow(result.resolve(Object.class)));
		Stream<ResolvableType> types = shown ? Arrays.stream(result.getGenerics()) : Stream.of(result);
		types.flatMap(ReturnedWork::withParts).filter(ReturnedWork::isWork).findFirst().ifPresent((type) -> {
			throw unsupported(type, subject);
		});
	}

	private static boolean isFlow(Class<?> type) {
		return type.getName().equals("kotlinx.coroutines.flow.Flow");
	}

	private static Stream<Class<?>> withParts(ResolvableType type) {
		Class<?> resolved = type.resolve();
		if (resolved == null || resolved == Class.class) {
			return Stream.empty();
		}
		Stream<ResolvableType> parts = type.isArray() ? Stream.of(type.getComponentType())
				: Arrays.stream(type.getGenerics());
		return Stream.concat(Stream.of(resolved), parts.flatMap(ReturnedWork::withParts));
	}

	/**
	 * Check the result of a call of a method whose declared type does not decide.
	 * @throws IllegalStateException if the result hands work out
	 */
	public static void check(@Nullable Object result, String method) {
		Object single = (result instanceof Optional<?> optional) ? optional.orElse(null) : result;
		Object work = (single instanceof Collection<?> several)
				? several.stream().filter(ReturnedWork::isWorkItself).findFirst().orElse(null) : single;
		if (work != null && isWorkItself(work)) {
			throw new IllegalStateException(unsupported(work.getClass(), "The method " + method + " ").getMessage());
		}
	}

	private static boolean isWorkItself(@Nullable Object value) {
		return value != null && !isValue(value.getClass()) && hasWork(value.getClass());
	}

	/** Return whether only the value of a call shows whether the call hands work out. */
	public static boolean isOpen(Method method) {
		ResolvableType type = ResolvableType.forMethodReturnType(method);
		Class<?> result = type.resolve(Object.class);
		boolean container = Collection.class.isAssignableFrom(result) || result == Optional.class;
		Class<?> decisive = container ? type.as(container && result != Optional.class ? Collection.class : result)
			.getGeneric(0)
			.resolve(Object.class) : result;
		return !decisive.isPrimitive() && !isValue(decisive)
				&& !Modifier.isFinal(decisive.getModifiers());
	}

	private static boolean isWork(Class<?> type) {
		if (type.isPrimitive() || type.isArray() || isValue(type)) {
			return false;
		}
		return hasWork(type) || (isNamed(type, LISTED) && !OPEN.contains(type));
	}

	private static boolean isValue(Class<?> type) {
		return VALUES.stream().anyMatch((value) -> value.isAssignableFrom(type)) || isNamed(type, OTHER_VALUES);
	}

	private static boolean hasWork(Class<?> type) {
		return WORK.stream().anyMatch((work) -> work.isAssignableFrom(type)) || isNamed(type, OTHER_WORK)
				|| ClassUtils.getAllInterfacesForClassAsSet(type).stream().anyMatch((each) -> isNamed(each, OTHER_WORK))
				|| (type.getSuperclass() != null && isNamed(type.getSuperclass(), OTHER_WORK));
	}

	private static boolean isNamed(Class<?> type, List<String> names) {
		String name = type.getName();
		return names.stream()
			.anyMatch((listed) -> listed.endsWith(".") ? name.startsWith(listed)
					: name.equals(listed) || name.startsWith(listed + "$"));
	}

	private static IllegalArgumentException unsupported(Class<?> type, String subject) {
		return ResultKind.unsupported(type, subject,
				"return the result itself, or one CompletableFuture, or use LockOperations inside");
	}

}
