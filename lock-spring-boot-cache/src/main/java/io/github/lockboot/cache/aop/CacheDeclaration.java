package io.github.lockboot.cache.aop;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

import io.github.lockboot.aop.DeclarationFinder;
import io.github.lockboot.aop.MethodNames;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;

/**
 * The annotations of the cache for a method.
 *
 * @param read where its results are cached, or {@code null}
 * @param puts the entries that its result replaces
 * @param evicts the entries that are invalid after it
 */
record CacheDeclaration(Method method, @Nullable MergedAnnotation<RedisCache> read,
		List<MergedAnnotation<RedisCachePut>> puts, List<MergedAnnotation<RedisCacheEvict>> evicts) {

	/** Names, so that an application without annotated methods does not load them. */
	static final List<String> ANNOTATIONS = List.of("io.github.lockboot.cache.RedisCache",
			"io.github.lockboot.cache.RedisCachePut", "io.github.lockboot.cache.RedisCachePut$Several",
			"io.github.lockboot.cache.RedisCacheEvict", "io.github.lockboot.cache.RedisCacheEvict$Several");

	static DeclarationFinder<CacheDeclaration> finder() {
		return new DeclarationFinder<>(ANNOTATIONS, CacheDeclaration::read);
	}

	static @Nullable CacheDeclaration read(MergedAnnotations annotations, Method method) {
		MergedAnnotation<RedisCache> read = annotations.get(RedisCache.class);
		CacheDeclaration found = new CacheDeclaration(method, read.isPresent() ? read : null,
				annotations.stream(RedisCachePut.class).toList(), annotations.stream(RedisCacheEvict.class).toList());
		return (found.annotations().findAny().isPresent()) ? found : null;
	}

	Stream<MergedAnnotation<?>> annotations() {
		return Stream.of(Stream.ofNullable(this.read), this.puts.stream(), this.evicts.stream())
			.flatMap(Function.identity());
	}

	/** Return whether its results are cached under no given name. */
	boolean readsWithoutName() {
		return this.read != null && this.read.getString("name").isEmpty();
	}

	String describe() {
		return MethodNames.describe(this.method);
	}

}
