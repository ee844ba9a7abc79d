package io.github.lockboot.cache.aspect;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.CRC32;

import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.InvalidCacheAnnotationException;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.expression.CallExpression;
import io.github.lockboot.expression.ConditionExpression;
import io.github.lockboot.expression.KeyExpressionException;
import io.github.lockboot.expression.KeyExpressionParser;

/**
 * Turns annotations into a {@link CachedMethod}.
 */
final class CachedMethodParser {

	private final KeyExpressionParser expressions;

	private final StringValueResolver placeholders;

	private final KeyGenerators generators;

	CachedMethodParser(KeyExpressionParser expressions, StringValueResolver placeholders, KeyGenerators generators) {
		this.expressions = expressions;
		this.placeholders = placeholders;
		this.generators = generators;
	}

	/**
	 * Parse the annotations of a method.
	 * @throws InvalidCacheAnnotationException if something in them is wrong
	 */
	CachedMethod parse(CacheDeclaration declaration, Class<?> targetClass) {
		try {
			MergedAnnotation<RedisCache> read = declaration.read();
			Assert.isTrue(read == null || declaration.puts().isEmpty(),
					"has both @RedisCache and @RedisCachePut, but its result can't be read and written at once");
			Method method = declaration.method();
			Class<?> owner = declaration.owner(targetClass);
			Scope scope = new Scope(method, owner, ResultKinds.of(method), ClassDefaults.of(owner, this.placeholders));
			List<CacheWrite> writes = new ArrayList<>();
			declaration.puts().forEach((put) -> writes.add(put(put, scope)));
			declaration.evicts().forEach((evict) -> writes.add(evict(evict, scope)));
			return new CachedMethod((read != null) ? read(read, scope) : null, List.copyOf(writes), scope.kind,
					parameters(method));
		}
		catch (KeyExpressionException ex) {
			throw new InvalidCacheAnnotationException(List.of(declaration.describe() + " has the expression '"
					+ ex.expression() + "', which " + ex.getMessage()));
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidCacheAnnotationException(List.of(declaration.describe() + " " + ex.getMessage()));
		}
	}

	/** The last one of a suspend function is not of its caller. */
	private static int parameters(Method method) {
		return method.getParameterCount() - (KotlinDetector.isSuspendingFunction(method) ? 1 : 0);
	}

	private CacheRead read(MergedAnnotation<RedisCache> annotation, Scope scope) {
		String ttl = annotation.getString("ttl");
		boolean computed = ttl.startsWith("#") && !ttl.startsWith("#{");
		CacheSpec<@Nullable Object> spec = spec(name(annotation, scope), scope).with(settings(annotation, computed));
		return new CacheRead(spec, key(annotation, scope, false),
				computed ? expression(annotation, "ttl", scope, true) : null,
				condition(annotation, "condition", scope, false), condition(annotation, "unless", scope, true));
	}

	private String name(MergedAnnotation<RedisCache> annotation, Scope scope) {
		String own = resolve(annotation.getString("name"));
		String name = own.isEmpty() ? scope.defaults.nameFor(scope.method) : own;
		return name.isEmpty() ? defaultName(scope) : name;
	}

	private UnaryOperator<CacheSettings> settings(MergedAnnotation<RedisCache> annotation, boolean computed) {
		Duration ttl = computed ? null : duration(annotation, "ttl");
		Duration nullTtl = duration(annotation, "nullTtl");
		Duration staleTtl = duration(annotation, "staleTtl");
		Duration localTtl = duration(annotation, "localTtl");
		Double refreshAhead = number(annotation, "refreshAhead");
		return (settings) -> {
			CacheSettings changed = (ttl != null) ? settings.withTtl(ttl) : settings;
			changed = (nullTtl != null) ? changed.withNullTtl(nullTtl) : changed;
			changed = (staleTtl != null) ? changed.withStaleTtl(staleTtl) : changed;
			changed = (localTtl != null) ? changed.withLocalTtl(localTtl) : changed;
			return (refreshAhead != null) ? changed.withRefreshAhead(refreshAhead) : changed;
		};
	}

	private CacheWrite put(MergedAnnotation<RedisCachePut> annotation, Scope scope) {
		Duration ttl = duration(annotation, "ttl");
		CacheSpec<@Nullable Object> spec = spec(requiredName(annotation, scope), scope)
			.with((settings) -> (ttl != null) ? settings.withTtl(ttl) : settings);
		return new CacheWrite.Put(spec, key(annotation, scope, true), version(annotation, scope),
				condition(annotation, "condition", scope, true));
	}

	private @Nullable PutVersion version(MergedAnnotation<RedisCachePut> annotation, Scope scope) {
		CallExpression version = expression(annotation, "version", scope, true);
		return (version != null) ? new PutVersion(version, CacheDeclaration.describe(scope.method)) : null;
	}

	private CacheWrite evict(MergedAnnotation<RedisCacheEvict> annotation, Scope scope) {
		CallExpression keys = expression(annotation, "keys", scope, true);
		boolean all = annotation.getBoolean("allEntries");
		long said = Stream.of("key", "keyGenerator", "keys").filter((which) -> has(annotation, which)).count();
		Assert.isTrue(said + (all ? 1 : 0) <= 1, "has more than one of key, keyGenerator, keys and allEntries in"
				+ " @RedisCacheEvict: name one of them");
		Duration grace = duration(annotation, "grace");
		return new CacheWrite.Evict(requiredName(annotation, scope), key(annotation, scope, true), keys, all,
				condition(annotation, "condition", scope, true), (grace != null) ? grace : Duration.ZERO);
	}

	private KeySource key(MergedAnnotation<?> annotation, Scope scope, boolean withResult) {
		CallExpression key = expression(annotation, "key", scope, withResult);
		String own = resolve(annotation.getString("keyGenerator"));
		Assert.isTrue(key == null || own.isEmpty(), () -> "has both key and keyGenerator in @"
				+ annotation.getType().getSimpleName() + ": name one of them");
		String generator = (key == null && own.isEmpty()) ? scope.defaults.keyGenerator() : own;
		return generator.isEmpty() ? new KeySource.Written(key)
				: new KeySource.Generated(this.generators.find(generator), generator, scope.method);
	}

	private static boolean has(MergedAnnotation<?> annotation, String attribute) {
		return !annotation.getString(attribute).isEmpty();
	}

	private CacheSpec<@Nullable Object> spec(String name, Scope scope) {
		Assert.isTrue(!name.startsWith("#") && !name.contains("#{"), () -> "has the name '" + name
				+ "', which is an expression, but a name is a literal; expressions belong into key");
		Type declared = new MethodParameter(scope.method, -1).getGenericParameterType();
		Type type = scope.kind.valueType(GenericTypeResolver.resolveType(declared, scope.owner));
		Assert.isTrue(type != void.class && type != Void.class, "returns nothing that could be cached");
		return CacheSpec.ofType(name, type);
	}

	private String requiredName(MergedAnnotation<?> annotation, Scope scope) {
		String own = resolve(annotation.getString("name"));
		String name = own.isEmpty() ? scope.defaults.name() : own;
		Assert.isTrue(StringUtils.hasText(name), () -> "has no name in @" + annotation.getType().getSimpleName()
				+ ": give it the name of the cache, or its class a @RedisCacheConfig with one");
		return name;
	}

	/**
	 * The same in every JVM, and of no two methods, nor of one that two classes inherit.
	 */
	private static String defaultName(Scope scope) {
		CRC32 crc = new CRC32();
		Method method = scope.method;
		String signature = scope.owner.getName() + "." + method.getName()
				+ Arrays.stream(method.getParameterTypes()).map(Class::getName).toList();
		crc.update(signature.getBytes(StandardCharsets.UTF_8));
		return ClassUtils.getShortName(scope.owner) + "." + method.getName() + "-" + Long.toHexString(crc.getValue());
	}

	private @Nullable CallExpression expression(MergedAnnotation<?> annotation, String attribute, Scope scope,
			boolean withResult) {
		String text = annotation.getString(attribute);
		return text.isEmpty() ? null : this.expressions.parseCall(text, scope.method, scope.owner, withResult);
	}

	private @Nullable ConditionExpression condition(MergedAnnotation<?> annotation, String attribute, Scope scope,
			boolean withResult) {
		String text = annotation.getString(attribute);
		return text.isEmpty() ? null : this.expressions.parseCondition(text, scope.method, scope.owner, withResult);
	}

	private @Nullable Duration duration(MergedAnnotation<?> annotation, String attribute) {
		String text = resolve(annotation.getString(attribute)).trim();
		try {
			return text.isEmpty() ? null : DurationFormatterUtils.detectAndParse(text);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"has the " + attribute + " '" + text + "', which is not a duration; write for example 500ms or 10m",
					ex);
		}
	}

	private @Nullable Double number(MergedAnnotation<?> annotation, String attribute) {
		String text = resolve(annotation.getString(attribute)).trim();
		try {
			return text.isEmpty() ? null : Double.valueOf(text);
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("has the " + attribute + " '" + text + "', which is not a number", ex);
		}
	}

	private String resolve(String text) {
		String resolved = text.isEmpty() ? text : this.placeholders.resolveStringValue(text);
		return (resolved != null) ? resolved : "";
	}

	/**
	 * Where expressions and types are resolved.
	 *
	 * @param method the method of the target class
	 * @param owner whose method it is
	 * @param kind how the results of the method are
	 * @param defaults what the owner says
	 */
	private record Scope(Method method, Class<?> owner, ResultKind kind, ClassDefaults defaults) {

	}

}
