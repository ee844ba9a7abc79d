package io.github.lockboot.cache.aop;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.core.MethodParameter;

import io.github.lockboot.aop.AnnotatedBeanHints;
import io.github.lockboot.cache.RedisCacheConfig;

/**
 * Registers what the cache needs in a native image: its scripts, options and the field of
 * Spring's keys that are read by reflection, and what cached methods need, also to write
 * their results to Redis and to read them.
 */
final class CacheHints extends AnnotatedBeanHints<CacheDeclaration> {

	private static final List<String> OPTIONS = List.of("CacheSettings", "autoconfigure.CacheProperties",
			"autoconfigure.CacheProperties$Named");

	private static final List<String> OPTIONAL = List.of("com.fasterxml.jackson.annotation.JsonSubTypes",
			"com.fasterxml.jackson.databind.json.JsonMapper", "com.github.benmanes.caffeine.cache.Caffeine",
			"io.github.lockboot.cache.CacheOperations", "java.sql.Timestamp", "reactor.core.scheduler.Schedulers",
			"tools.jackson.databind.json.JsonMapper");

	private final BindingReflectionHintsRegistrar results = new BindingReflectionHintsRegistrar();

	CacheHints() {
		super(CacheDeclaration.finder(), CacheDeclaration::annotations,
				Stream.concat(CacheDeclaration.ANNOTATIONS.stream(), Stream.of(RedisCacheConfig.class.getName()))
					.toList());
	}

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		super.registerHints(hints, classLoader);
		registerOptional(OPTIONAL, hints, classLoader);
		hints.resources().registerPattern("io/github/lockboot/cache/protocol/*.lua");
		hints.reflection().registerType(SimpleKey.class, (type) -> type.withField("params"));
		OPTIONS.forEach((type) -> hints.reflection()
			.registerType(TypeReference.of("io.github.lockboot.cache." + type),
					MemberCategory.INVOKE_DECLARED_CONSTRUCTORS, MemberCategory.INVOKE_DECLARED_METHODS,
					MemberCategory.INVOKE_PUBLIC_METHODS));
	}

	@Override
	protected void registerMore(ReflectionHints hints, Method method) {
		this.results.registerReflectionHints(hints, new MethodParameter(method, -1).getGenericParameterType());
	}

}
