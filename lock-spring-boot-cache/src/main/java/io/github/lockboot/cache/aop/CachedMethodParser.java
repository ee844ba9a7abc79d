package io.github.lockboot.cache.aop;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.CRC32;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.cache.interceptor.KeyGenerator;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

import io.github.lockboot.aop.AnnotationText;
import io.github.lockboot.aop.MethodNames;
import io.github.lockboot.aop.ReactiveResult;
import io.github.lockboot.aop.ResultKind;
import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.InvalidCacheAnnotationException;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheConfig;
import io.github.lockboot.cache.aop.CachedMethod.CacheRead;
import io.github.lockboot.cache.aop.CachedMethod.CachedCall;
import io.github.lockboot.cache.aop.ExpressionContext.KeySource;
import io.github.lockboot.cache.codec.ValueTypes;
import io.github.lockboot.expression.MethodExpression;
import io.github.lockboot.expression.MethodExpressionException;
import io.github.lockboot.expression.MethodExpressionParser;

/**
 * Turns the annotations of a method into a {@link CachedMethod}.
 */
record CachedMethodParser(MethodExpressionParser expressions, StringValueResolver placeholders,
		ListableBeanFactory beanFactory, Supplier<CacheOperations> operations,
		Executor executor) implements BiFunction<CacheDeclaration, Class<?>, CachedMethod> {

	private static final Set<String> CONDITIONS = Set.of("condition", "unless");

	@Override
	public CachedMethod apply(CacheDeclaration declaration, Class<?> targetClass) {
		try {
			MergedAnnotation<RedisCache> read = declaration.read();
			Assert.isTrue(read == null || declaration.puts().isEmpty(),
					"has both @RedisCache and @RedisCachePut, but its result can't be read and written at once");
			Method method = declaration.method();
			Class<?> owner = MethodNames.owner(method, targetClass);
			ResultKind kind = ResultKind.of(method, owner, "");
			Scope scope = new Scope(method, owner, kind, ClassDefaults.of(owner, this.placeholders));
			List<CacheWrite> writes = new ArrayList<>();
			declaration.puts().forEach((put) -> writes.add(put(textOf(put), scope)));
			declaration.evicts().forEach((evict) -> writes.add(evict(textOf(evict), scope)));
			return new CachedMethod((read != null) ? read(textOf(read), scope) : null, List.copyOf(writes),
					// the last argument of a suspend function is not of its caller
					method.getParameterCount() - (KotlinDetector.isSuspendingFunction(method) ? 1 : 0),
					runner(method, owner, kind), this.operations, new AtomicReference<>(), this.executor);
		}
		catch (MethodExpressionException ex) {
			throw new InvalidCacheAnnotationException(List.of(declaration.describe() + " has the expression '"
					+ ex.expression() + "', which " + ex.getMessage()));
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidCacheAnnotationException(List.of(declaration.describe() + " " + ex.getMessage()));
		}
	}

	private static CachedMethod.Runner runner(Method method, Class<?> owner, ResultKind kind) {
		return switch (kind) {
			case PLAIN -> CachedCall::run;
			case STAGE -> CachedCall::runStaged;
			case FUTURE, CALLBACK -> throw ResultKind.unsupported(ResultKind.resultOf(method, owner).toClass(), "",
					"return a CompletableFuture");
			case REACTIVE -> new CachedPublisher(ReactiveResult.of(method, owner))::run;
		};
	}

	private static Type valueType(Scope scope, Type declared) {
		ReactiveResult result = (scope.kind == ResultKind.REACTIVE) ? ReactiveResult.of(scope.method, scope.owner)
				: null;
		if (result != null && result.isSeveral()) {
			ResolvableType element = ResolvableType.forType(argumentOf(declared));
			return ResolvableType.forClassWithGenerics(List.class, element).getType();
		}
		if (result != null && result.isSuspending()) {
			return withoutWildcards(ResolvableType.forType(declared)).getType();
		}
		return (result != null || scope.kind == ResultKind.STAGE) ? argumentOf(declared) : declared;
	}

	/**
	 * Return the type as it is in the source: in the result of a suspend function
	 * Kotlin's compiler writes {@code ? extends} before each argument that may have
	 * subtypes.
	 */
	private static ResolvableType withoutWildcards(ResolvableType type) {
		ResolvableType[] arguments = type.getGenerics();
		return (arguments.length == 0) ? ResolvableType.forClass(type.toClass()) : ResolvableType.forClassWithGenerics(
				type.toClass(),
				Arrays.stream(arguments).map(CachedMethodParser::withoutWildcards).toArray(ResolvableType[]::new));
	}

	/** Return the type argument, or {@code Object}. */
	private static Type argumentOf(Type declared) {
		ResolvableType argument = ResolvableType.forType(declared).getGeneric(0);
		boolean isKnown = argument != ResolvableType.NONE && !(argument.getType() instanceof TypeVariable);
		return isKnown ? argument.getType() : Object.class;
	}

	private AnnotationText textOf(MergedAnnotation<?> annotation) {
		return new AnnotationText(annotation, this.placeholders, "");
	}

	private CacheRead read(AnnotationText text, Scope scope) {
		String ttl = text.written("ttl");
		boolean computed = ttl.startsWith("#") && !ttl.startsWith("#{");
		MethodExpression keys = expression(text, "keys", scope, false);
		CacheSpec<@Nullable Object> spec = spec(name(text, scope),
				(keys != null) ? mapped(text, keys, scope) : declared(scope))
			.with(options(text, computed ? "ttl" : null));
		KeySource key = (keys != null) ? new KeySource.Written(keys) : key(text, scope, false);
		return new CacheRead(spec, key, keys, expression(text, "tags", scope, true),
				computed ? expression(text, "ttl", scope, true) : null, expression(text, "condition", scope, false),
				expression(text, "unless", scope, true));
	}

	private String name(AnnotationText text, Scope scope) {
		String own = text.text("name");
		String name = own.isEmpty() ? scope.defaults.nameFor(scope.method) : own;
		return name.isEmpty() ? ClassDefaults.defaultName(scope.method, scope.owner) : name;
	}

	/**
	 * Return the settings that an annotation changes: its attributes have the names of
	 * the options.
	 * @param computed an attribute that is an expression, if any
	 */
	private static UnaryOperator<CacheSettings> options(AnnotationText text, @Nullable String computed) {
		Map<String, Object> values = new HashMap<>();
		for (RecordComponent option : CacheSettings.class.getRecordComponents()) {
			String name = option.getName();
			if (text.annotation().getValue(name).isPresent() && !name.equals(computed)) {
				Object value = (option.getType() == Duration.class) ? text.duration(name) : text.number(name);
				if (value != null) {
					values.put(name, value);
				}
			}
		}
		return (settings) -> settings.withAll((option) -> values.get(option.getName()));
	}

	private CacheWrite put(AnnotationText text, Scope scope) {
		CacheSpec<@Nullable Object> spec = spec(requiredName(text, scope), declared(scope)).with(options(text, null));
		MethodExpression version = expression(text, "version", scope, true);
		return new CacheWrite.Put(spec, key(text, scope, true), expression(text, "tags", scope, true),
				(version != null) ? new CacheWrite.Version(version, MethodNames.describe(scope.method)) : null,
				expression(text, "condition", scope, true), expression(text, "unless", scope, true),
				spec.with((settings) -> settings.withNullTtl(Duration.ZERO)), scope.kind != ResultKind.PLAIN);
	}

	private CacheWrite evict(AnnotationText text, Scope scope) {
		boolean early = text.flag("beforeInvocation");
		boolean tagged = text.has("tags");
		MethodExpression keys = expression(text, tagged ? "tags" : "keys", scope, !early);
		boolean all = text.flag("allEntries");
		long selectors = Stream.of("key", "keyGenerator", "keys", "tags").filter(text::has).count();
		Assert.isTrue(selectors + (all ? 1 : 0) <= 1, "has more than one of key, keyGenerator, keys, tags and"
				+ " allEntries in @RedisCacheEvict: name one of them");
		Duration grace = Objects.requireNonNullElse(text.duration("grace"), Duration.ZERO);
		Assert.isTrue(!(all || tagged) || grace.isZero(), "has both grace and " + (all ? "allEntries" : "tags")
				+ " in @RedisCacheEvict, but a grace is for entries with a key: name their keys, or evict all once more when old data are no longer read");
		String name = requiredName(text, scope);
		// not only after the first call, whose changes would be made
		CacheEviction.of(name, "").withGrace(grace);
		KeySource key = (all || keys != null) ? new KeySource.Written(null) : key(text, scope, !early);
		return new CacheWrite.Evict(name, key, keys, tagged, all, expression(text, "condition", scope, !early), grace,
				early, text.flag("failOnError"), scope.kind != ResultKind.PLAIN);
	}

	private KeySource key(AnnotationText text, Scope scope, boolean withResult) {
		MethodExpression key = expression(text, "key", scope, withResult);
		String own = text.text("keyGenerator");
		Assert.isTrue(key == null || own.isEmpty(),
				() -> "has both key and keyGenerator in " + text.type() + ": name one of them");
		String generator = (key == null && own.isEmpty()) ? scope.defaults.keyGenerator() : own;
		if (generator.isEmpty()) {
			Class<?>[] arguments = (key == null) ? scope.method.getParameterTypes() : new Class<?>[0];
			Arrays.stream(arguments).filter(ValueTypes::areNoKeys).findFirst().ifPresent((refused) -> {
				throw new IllegalArgumentException("has a parameter of type " + refused.getTypeName()
						+ ", which can't be part of a key: name a key without it, such as one of its properties");
			});
			return new KeySource.Written(key);
		}
		return new KeySource.Generated(generator(generator), generator, scope.method);
	}

	/** Return the key generator, creating its bean. */
	private KeyGenerator generator(String beanName) {
		boolean found = this.beanFactory.containsBean(beanName)
				&& this.beanFactory.isTypeMatch(beanName, KeyGenerator.class);
		Assert.isTrue(found, () -> {
			String[] names = this.beanFactory.getBeanNamesForType(KeyGenerator.class);
			return "names the keyGenerator '" + beanName + "', which is no KeyGenerator bean: define one of that name"
					+ ((names.length > 0) ? ", or name one of these: " + String.join(", ", names) : "");
		});
		return this.beanFactory.getBean(beanName, KeyGenerator.class);
	}

	private static CacheSpec<@Nullable Object> spec(String name, Type type) {
		Assert.isTrue(!name.startsWith("#") && !name.contains("#{"), () -> "has the name '" + name
				+ "', which is an expression, but a name is a literal. Expressions belong into key");
		Assert.isTrue(type != void.class && type != Void.class, "returns nothing that could be cached");
		return CacheSpec.ofType(name, type);
	}

	private static Type declared(Scope scope) {
		Type declared = new MethodParameter(scope.method, -1).getGenericParameterType();
		// Spring's resolver of a variable drops the arguments of its type
		return valueType(scope,
				(declared instanceof TypeVariable)
						? withoutWildcards(ResultKind.resultOf(scope.method, scope.owner)).getType()
						: GenericTypeResolver.resolveType(declared, scope.owner));
	}

	/** Return the type of the values of a method for several keys, after a check. */
	private static Type mapped(AnnotationText text, MethodExpression keys, Scope scope) {
		Assert.isTrue(!text.has("key") && !text.has("keyGenerator"),
				"has keys and also key or keyGenerator in @RedisCache: name one of them");
		ResolvableType map = ResolvableType.forMethodReturnType(scope.method, scope.owner);
		Assert.isTrue(
				scope.kind == ResultKind.PLAIN && Map.class.isAssignableFrom(map.toClass())
						&& map.toClass().isAssignableFrom(LinkedHashMap.class),
				() -> "returns a " + map.toClass().getSimpleName()
						+ ", but keys needs a Map of the values by their keys:" + " return a Map, or use key");
		Assert.isTrue(scope.method.getParameterCount() == 1, () -> "has " + scope.method.getParameterCount()
				+ " parameters, but the keys alone determine the entries: let the keys be the only parameter, and put what"
				+ " else matters into each of them");
		ResolvableType parameter = ResolvableType.forMethodParameter(scope.method, 0, scope.owner);
		Assert.isTrue(
				Collection.class.isAssignableFrom(parameter.toClass())
						&& (parameter.toClass().isAssignableFrom(ArrayList.class)
								|| parameter.toClass().isAssignableFrom(LinkedHashSet.class)),
				() -> "has a parameter of type " + parameter.toClass().getSimpleName()
						+ ", but keys needs a Collection, a List or a Set, which is replaced by that of the missing keys");
		Assert.isTrue(keys.text().matches("#\\w+"), () -> "has the keys '" + keys.text()
				+ "', but they are replaced by the missing ones: name the parameter only, and pass the keys themselves");
		Class<?> key = parameter.as(Collection.class).getGeneric().toClass();
		Class<?> mapped = map.as(Map.class).getGeneric(0).toClass();
		Assert.isTrue(key.isAssignableFrom(mapped) || mapped.isAssignableFrom(key),
				() -> "has keys of type " + key.getSimpleName() + ", but returns values by " + mapped.getSimpleName()
						+ ", so that none would be found: use one type");
		ResolvableType value = map.as(Map.class).getGeneric(1);
		return (value.getType() instanceof TypeVariable) ? withoutWildcards(value).getType() : value.getType();
	}

	private String requiredName(AnnotationText text, Scope scope) {
		String own = text.text("name");
		String name = own.isEmpty() ? scope.defaults.name() : own;
		Assert.isTrue(StringUtils.hasText(name), () -> "has no name in " + text.type()
				+ ": give it the name of the cache, or its class a @RedisCacheConfig with one");
		return name;
	}

	private @Nullable MethodExpression expression(AnnotationText text, String attribute, Scope scope,
			boolean withResult) {
		String written = text.written(attribute);
		if (written.isEmpty()) {
			return null;
		}
		return CONDITIONS.contains(attribute)
				? this.expressions.parseCondition(written, scope.method, scope.owner, withResult)
				: this.expressions.parse(written, scope.method, scope.owner, withResult);
	}

	/**
	 * The context in which expressions and types are resolved.
	 *
	 * @param owner the class that the method is named after
	 */
	private record Scope(Method method, Class<?> owner, ResultKind kind, ClassDefaults defaults) {

	}

	/**
	 * The {@link RedisCacheConfig @RedisCacheConfig} of a class, or the nearest one of a
	 * superclass or an interface.
	 */
	record ClassDefaults(Class<?> targetClass, String name, String keyGenerator) {

		static ClassDefaults of(Class<?> targetClass, StringValueResolver placeholders) {
			return MergedAnnotations.from(targetClass, SearchStrategy.TYPE_HIERARCHY)
				.stream(RedisCacheConfig.class)
				.findFirst()
				.map((found) -> new ClassDefaults(targetClass,
						AnnotationText.resolve(found.getString("name"), placeholders),
						AnnotationText.resolve(found.getString("keyGenerator"), placeholders)))
				.orElseGet(() -> new ClassDefaults(targetClass, "", ""));
		}

		/**
		 * Return the name of the cache for a method that reads one, or empty.
		 * @throws IllegalArgumentException if another method would silently share its
		 * entries
		 */
		String nameFor(Method reader) {
			if (this.name.isEmpty()) {
				return this.name;
			}
			CacheDeclaration.finder().findAll(this.targetClass).values().forEach((other) -> {
				Assert.isTrue(!other.readsWithoutName() || other.method().equals(reader),
						() -> "takes its name '" + this.name + "' from @RedisCacheConfig, and so does "
								+ other.describe()
								+ ", so that they would share entries: give each @RedisCache a name");
			});
			return this.name;
		}

		/**
		 * Return the name of a cache without one: the same in every JVM, and different
		 * for each method of each class of beans, including inherited methods.
		 */
		static String defaultName(Method method, Class<?> owner) {
			CRC32 crc = new CRC32();
			String signature = owner.getName() + "." + method.getName()
					+ Arrays.stream(method.getParameterTypes()).map(Class::getName).toList();
			crc.update(signature.getBytes(StandardCharsets.UTF_8));
			return ClassUtils.getShortName(owner) + "." + method.getName() + "-" + Long.toHexString(crc.getValue());
		}

	}

}
