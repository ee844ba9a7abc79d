package io.github.lockboot.cache.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.aop.MethodNames;
import io.github.lockboot.aop.SelfInvocations;
import io.github.lockboot.cache.aop.CachedMethod.CacheRead;
import io.github.lockboot.cache.aop.ExpressionContext.KeySource;
import io.github.lockboot.cache.codec.TypeShape;

/**
 * Finds what works but is probably a mistake in the annotated methods of an application.
 *
 * @param declared names of the caches that other beans than annotated methods fill
 * @param configured names of the caches with settings
 * @param isFor returns whether a name with settings, the first argument, is that of a
 * cache
 * @param isLike returns whether a name is probably another one, misspelt
 * @param byCode whether code of the application may use further caches
 */
record CacheMistakes(List<Use> uses, Collection<String> declared, Collection<String> configured,
		BiPredicate<String, String> isFor, BiPredicate<String, String> isLike, boolean byCode) {

	List<String> find() {
		TreeSet<String> filled = new TreeSet<>(this.declared);
		this.uses.forEach((use) -> use.parsed().specs().forEach((spec) -> filled.add(spec.name())));
		TreeSet<String> named = new TreeSet<>(filled);
		evicts().forEach((evict) -> named.add(evict.write().cacheName()));
		return Stream
			.of(differentTypes(), unused(named), evicts().map((evict) -> unfilled(evict, filled)),
					evicts().map(this::withoutKey),
					SelfInvocations.find(this.uses.stream().map(Use::method).toList(), AnnotatedMethod::describe,
							"without the cache")
						.stream())
			.flatMap(Function.identity())
			.filter(Objects::nonNull)
			.distinct()
			.toList();
	}

	/**
	 * Warn of methods whose values differ in type, since they overwrite each other's
	 * entries.
	 */
	private Stream<String> differentTypes() {
		// by name of the cache, then by shape of the values: the first method
		Map<String, Map<Integer, String>> caches = new TreeMap<>();
		this.uses.forEach((use) -> use.parsed()
			.specs()
			.forEach((spec) -> caches.computeIfAbsent(spec.name(), (name) -> new LinkedHashMap<>())
				.putIfAbsent(TypeShape.of(spec.type()), spec.type().getTypeName() + " by " + use.method().describe()
						+ " of bean '" + use.method().beanName() + "'")));
		return caches.entrySet()
			.stream()
			.filter((cache) -> cache.getValue().size() > 1)
			.map((cache) -> "Cache '" + cache.getKey() + "' has values of the type "
					+ String.join(", and of the type ", cache.getValue().values())
					+ ": where their keys are equal they miss each other's entries and overwrite them."
					+ " Give each type a cache of its own by another name, or all methods one type");
	}

	private Stream<@Nullable String> unused(Collection<String> named) {
		return this.configured.stream()
			.filter((name) -> named.stream().noneMatch((cache) -> this.isFor.test(name, cache)))
			.filter((name) -> isMistake(name, named))
			.map((name) -> "Settings under lock.cache.caches are not used. No cache has the name '" + name + "'; "
					+ MethodNames.known(named));
	}

	private @Nullable String unfilled(Evict evict, Collection<String> filled) {
		String name = evict.write().cacheName();
		return (filled.isEmpty() || filled.contains(name) || !isMistake(name, filled)) ? null
				: evict.use().method().describe() + " evicts from the cache '" + name
						+ "', which this application does not fill; " + MethodNames.known(filled);
	}

	/** Return whether a name is misspelt, or no code can use a cache of that name. */
	private boolean isMistake(String name, Collection<String> known) {
		return !this.byCode || known.stream().anyMatch((other) -> this.isLike.test(name, other));
	}

	/** Warn of an evict whose arguments are the key of no entry. */
	private @Nullable String withoutKey(Evict evict) {
		CacheWrite.Evict write = evict.write();
		if (write.allEntries() || write.keys() != null || isWritten(write.key())) {
			return null;
		}
		Class<?>[] arguments = evict.use().arguments();
		List<Use> others = this.uses.stream()
			.filter((use) -> use.keys(write.cacheName()).findAny().isPresent())
			.toList();
		boolean fits = others.stream()
			.anyMatch((use) -> use.keys(write.cacheName()).anyMatch(CacheMistakes::isWritten) ? arguments.length > 0
					: mayBeEqual(use.arguments(), arguments));
		return (fits || others.isEmpty()) ? null
				: evict.use().method().describe() + " evicts the entry of its own arguments, but the entries of cache '"
						+ write.cacheName() + "' have other keys, as in " + others.get(0).method().describe()
						+ ": name the key, or set allEntries = true";
	}

	private static boolean isWritten(KeySource key) {
		return !(key instanceof KeySource.Written written) || written.expression() != null;
	}

	private static boolean mayBeEqual(Class<?>[] types, Class<?>[] others) {
		for (int i = 0; i < types.length && types.length == others.length; i++) {
			Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(types[i]);
			Class<?> other = ClassUtils.resolvePrimitiveIfNecessary(others[i]);
			boolean numbers = Number.class.isAssignableFrom(type) && Number.class.isAssignableFrom(other);
			if (!numbers && !type.isAssignableFrom(other) && !other.isAssignableFrom(type)) {
				return false;
			}
		}
		return types.length == others.length;
	}

	private Stream<Evict> evicts() {
		return this.uses.stream()
			.flatMap((use) -> use.parsed()
				.writes()
				.stream()
				.flatMap((write) -> (write instanceof CacheWrite.Evict evict) ? Stream.of(new Evict(use, evict))
						: Stream.empty()));
	}

	private record Evict(Use use, CacheWrite.Evict write) {

	}

	/**
	 * The use of caches by one method.
	 */
	record Use(AnnotatedMethod<CacheDeclaration> method, CachedMethod parsed) {

		/** Return the keys of the entries of a cache that the method fills. */
		Stream<KeySource> keys(String cacheName) {
			CacheRead read = this.parsed.read();
			Stream<KeySource> puts = this.parsed.writes()
				.stream()
				.flatMap((write) -> (write instanceof CacheWrite.Put put && put.cacheName().equals(cacheName))
						? Stream.of(put.key()) : Stream.empty());
			return (read != null && read.spec().name().equals(cacheName)) ? Stream.concat(Stream.of(read.key()), puts)
					: puts;
		}

		Class<?>[] arguments() {
			Method method = this.method.method();
			return Arrays.copyOf(method.getParameterTypes(), this.parsed.parameters());
		}

	}

}
