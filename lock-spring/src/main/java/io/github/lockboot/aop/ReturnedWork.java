package io.github.lockboot.aop;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.File;
import java.io.InputStream;
import java.io.Reader;
import java.io.Serializable;
import java.io.StringReader;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.HttpCookie;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URL;
import java.nio.Buffer;
import java.nio.file.Path;
import java.security.Key;
import java.security.Principal;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.DoubleSummaryStatistics;
import java.util.Enumeration;
import java.util.EventObject;
import java.util.HexFormat;
import java.util.IntSummaryStatistics;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.StringJoiner;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.BaseStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

import io.github.lockboot.Internal;

/**
 * Finds results that hand work out: the work would run after the method has returned, and
 * nothing shows its end. A type of the JDK, of Spring or of Reactor is such a result
 * unless it is listed as a value. A type of Kotlin, another library or the application is
 * a value, such as an entity that is {@link Runnable}, unless it is listed as work.
 */
@Internal
public final class ReturnedWork {

	/** The types of Java whose objects are values, with their subtypes. */
	private static final List<Class<?>> VALUES = List.of(CharSequence.class, Number.class, Boolean.class,
			Character.class, Enum.class, Record.class, Void.class, Class.class, Throwable.class,
			StackTraceElement.class, Collection.class, Map.class, Map.Entry.class, Optional.class, OptionalInt.class,
			OptionalLong.class, OptionalDouble.class, IntSummaryStatistics.class, LongSummaryStatistics.class,
			DoubleSummaryStatistics.class, BitSet.class, Date.class, Calendar.class, TimeZone.class, UUID.class,
			Locale.class, Locale.LanguageRange.class, Currency.class, StringJoiner.class, HexFormat.class,
			EventObject.class, MatchResult.class, Pattern.class, File.class, Path.class, Buffer.class, URI.class,
			URL.class, InetAddress.class, SocketAddress.class, HttpCookie.class, Principal.class, Key.class,
			ByteArrayInputStream.class, ByteArrayOutputStream.class, StringReader.class, StringWriter.class);

	/** The packages and types of values, in addition to {@link #VALUES}. */
	private static final List<String> NAMED_VALUES = List.of("java.time.", "java.text.", "java.net.http.HttpHeaders",
			"java.net.http.HttpRequest", "java.net.http.HttpResponse", "java.security.KeyPair", "java.security.cert.",
			"java.security.spec.", "java.awt.", "java.lang.annotation.", "java.lang.constant.", "java.lang.reflect.",
			"java.nio.charset.", "java.nio.file.attribute.", "java.util.concurrent.atomic.", "java.util.logging.",
			"javax.crypto.", "javax.management.", "javax.naming.", "javax.net.ssl.", "javax.security.",
			"javax.xml.datatype.", "javax.xml.namespace.", "org.w3c.dom.", "reactor.core.publisher.Signal",
			"reactor.util.");

	/**
	 * The packages of Spring whose types are values, unless they are subtypes of work.
	 */
	private static final List<String> OF_SPRING = List.of("ai.", "amqp.core.", "batch.core.", "batch.repeat.", "boot.",
			"core.", "data.", "expression.", "graphql.", "hateoas.", "http.", "integration.", "jdbc.support.",
			"kafka.support.", "ldap.", "mail.", "messaging.", "modulith.", "security.", "session.", "shell.",
			"statemachine.", "transaction.", "ui.", "util.", "validation.", "vault.support.", "web.bind.",
			"web.multipart.", "web.servlet.ModelAndView", "web.servlet.View", "web.util.", "ws.");

	/** The types of which anything may be a subtype: the value of a call decides. */
	private static final List<Class<?>> OPEN = List.of(Object.class, Comparable.class, Serializable.class,
			Cloneable.class, Iterable.class, AutoCloseable.class, Closeable.class);

	/** The types whose objects are work, or produce their elements when they are read. */
	private static final List<Class<?>> WORK = List.of(Future.class, CompletionStage.class, Flow.Publisher.class,
			Iterator.class, Spliterator.class, Enumeration.class, BaseStream.class, InputStream.class, Reader.class,
			Thread.class, Executor.class);

	/** The packages and types of work, in addition to {@link #WORK}. */
	private static final List<String> NAMED_WORK = List.of("org.reactivestreams.", "kotlin.Function", "kotlin.Lazy",
			"kotlin.sequences.", "kotlinx.coroutines.", "org.springframework.core.io.InputStreamResource",
			"org.springframework.data.util.Lazy", "org.springframework.web.context.request.async.",
			"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
			"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

	private static final String SPRING = "org.springframework.";

	static final int MAX_DEPTH = 5;

	private ReturnedWork() {
	}

	/**
	 * Check the declared result of a method, and what it contains.
	 * @param kind how the result itself shows its end
	 * @throws IllegalArgumentException if the method hands work out
	 */
	static void check(ResolvableType result, ResultKind kind, boolean suspending, String subject) {
		boolean shown = kind != ResultKind.PLAIN && !(suspending && !isFlow(result.resolve(Object.class)));
		Stream<ResolvableType> types = shown ? ResultEnd.unseen(result) : Stream.of(result);
		types.flatMap((type) -> withParts(type, 0)).filter(ReturnedWork::isWork).findFirst().ifPresent((type) -> {
			throw unsupported(type, subject);
		});
	}

	private static boolean isFlow(Class<?> type) {
		return type.getName().equals("kotlinx.coroutines.flow.Flow");
	}

	private static Stream<Class<?>> withParts(ResolvableType type, int depth) {
		Class<?> resolved = type.resolve();
		if (resolved == null || resolved == Class.class || depth > MAX_DEPTH) {
			// E extends Enum<E> has no end
			return Stream.empty();
		}
		Stream<ResolvableType> parts = type.isArray() ? Stream.of(type.getComponentType())
				: Arrays.stream(type.getGenerics());
		return Stream.concat(Stream.of(resolved), parts.flatMap((part) -> withParts(part, depth + 1)));
	}

	/** Return whether only the value of a call shows whether the call hands work out. */
	public static boolean isOpen(Method method, Class<?> owner) {
		ResolvableType type = ResultKind.resultOf(method, owner);
		Class<?> result = type.resolve(Object.class);
		boolean several = Collection.class.isAssignableFrom(result);
		return OPEN.contains((several || result == Optional.class)
				? type.as(several ? Collection.class : result).getGeneric(0).resolve(Object.class) : result);
	}

	/**
	 * Check the result of a call of a method whose declared type is open.
	 * @throws IllegalStateException if the result, or its first element, hands work out
	 */
	public static void check(@Nullable Object result, String method) {
		Object work = (result instanceof Optional<?> optional) ? optional.orElse(null) : result;
		// another collection may be loaded when it is read
		if (work instanceof Collection<?> several && work.getClass().getName().startsWith("java.util.")) {
			Iterator<?> elements = several.iterator();
			work = elements.hasNext() ? elements.next() : null;
		}
		if (work != null && isWorkItself(work.getClass())) {
			throw new IllegalStateException(unsupported(work.getClass(), "The method " + method + " ").getMessage());
		}
	}

	/**
	 * Return whether an object is work: a lambda or an anonymous class has no own type.
	 */
	private static boolean isWorkItself(Class<?> type) {
		return !isValue(type) && (isSubtypeOfWork(type) || ((type.isHidden() || type.isAnonymousClass())
				&& Arrays.stream(type.getInterfaces()).anyMatch(ReturnedWork::isWork)));
	}

	private static boolean isWork(Class<?> type) {
		return !type.isPrimitive() && !type.isArray() && !isValue(type)
				&& (isSubtypeOfWork(type) || (isOfListedLibrary(type) && !OPEN.contains(type)));
	}

	/** Return whether each type of a library is work that is not listed as a value. */
	private static boolean isOfListedLibrary(Class<?> type) {
		String name = type.getName();
		String module = String.valueOf(type.getModule().getName());
		return module.startsWith("java.") || module.startsWith("jdk.") || name.startsWith("reactor.")
				|| (name.startsWith(SPRING)
						&& (isFunction(type) || !isNamed(name.substring(SPRING.length()), OF_SPRING)));
	}

	/**
	 * Return whether the objects of a type of Spring are functions to be called later.
	 */
	private static boolean isFunction(Class<?> type) {
		return type.isInterface() && !Iterable.class.isAssignableFrom(type)
				&& (type.isAnnotationPresent(FunctionalInterface.class) || Arrays.stream(type.getInterfaces())
					.anyMatch((each) -> each.getName().startsWith("java.util.function.")));
	}

	private static boolean isValue(Class<?> type) {
		return VALUES.stream().anyMatch((value) -> value.isAssignableFrom(type))
				|| isNamed(type.getName(), NAMED_VALUES);
	}

	private static boolean isSubtypeOfWork(@Nullable Class<?> type) {
		return type != null
				&& (WORK.contains(type) || isNamed(type.getName(), NAMED_WORK) || isSubtypeOfWork(type.getSuperclass())
						|| Arrays.stream(type.getInterfaces()).anyMatch(ReturnedWork::isSubtypeOfWork));
	}

	/** Return whether a type is listed; a name that ends with a dot is a package. */
	private static boolean isNamed(String name, List<String> names) {
		return names.stream()
			.anyMatch((listed) -> listed.endsWith(".") ? name.startsWith(listed) : name.equals(listed));
	}

	private static IllegalArgumentException unsupported(Class<?> type, String subject) {
		return ResultKind.unsupported(type, subject,
				"return the result itself, or one CompletableFuture, or use LockOperations inside");
	}

}
