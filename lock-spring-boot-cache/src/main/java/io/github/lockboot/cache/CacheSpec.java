package io.github.lockboot.cache;

import java.lang.reflect.Type;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.util.Assert;

/**
 * Which cache is used, for values of which type, and how. What is not said comes from the
 * properties of the cache's name. Immutable; meant to be kept in a constant, since what
 * it takes to use it is worked out once for each object.
 *
 * @param <T> type of the values
 * @since 1.0.0
 */
public final class CacheSpec<T extends @Nullable Object> {

	private final String name;

	private final Type type;

	private final UnaryOperator<CacheSettings> settings;

	private CacheSpec(String name, Type type, UnaryOperator<CacheSettings> settings) {
		Assert.hasText(name, "The name of a cache must not be blank");
		Assert.isTrue(name.indexOf('{') < 0 && name.indexOf('}') < 0,
				() -> "The name of a cache must not contain '{' or '}' but is '" + name + "'");
		this.name = name;
		this.type = type;
		this.settings = settings;
	}

	/**
	 * A cache for values of a class.
	 * @param <T> the class
	 * @param name name of the cache; entries are shared by all that use it
	 * @param type the class
	 * @return the specification
	 * @throws IllegalArgumentException if the name is blank or has a brace
	 */
	public static <T> CacheSpec<T> of(String name, Class<T> type) {
		return new CacheSpec<>(name, type, UnaryOperator.identity());
	}

	/**
	 * A cache for values of a generic type.
	 * @param <T> the type
	 * @param name name of the cache; entries are shared by all that use it
	 * @param type a reference that was made with braces: <code>new
	 * ParameterizedTypeReference&lt;List&lt;Product&gt;&gt;() {}</code>
	 * @return the specification
	 * @throws IllegalArgumentException if the name is blank or has a brace
	 */
	public static <T> CacheSpec<T> of(String name, ParameterizedTypeReference<T> type) {
		return new CacheSpec<>(name, type.getType(), UnaryOperator.identity());
	}

	/**
	 * A cache for values of a type that is known at run time only.
	 * @param name name of the cache; entries are shared by all that use it
	 * @param type the type
	 * @return the specification
	 * @throws IllegalArgumentException if the name is blank or has a brace
	 */
	public static CacheSpec<@Nullable Object> ofType(String name, Type type) {
		return new CacheSpec<>(name, type, UnaryOperator.identity());
	}

	/**
	 * The same cache with other settings: <code>with((s) -&gt;
	 * s.withTtl(ofMinutes(1)))</code>.
	 * @param settings changes what the properties of the cache's name say
	 * @return a new specification
	 */
	public CacheSpec<T> with(UnaryOperator<CacheSettings> settings) {
		return new CacheSpec<>(this.name, this.type, (before) -> settings.apply(this.settings.apply(before)));
	}

	public String name() {
		return this.name;
	}

	public Type type() {
		return this.type;
	}

	/**
	 * Return the settings.
	 * @param defaults what the properties say
	 * @return these, changed by what this object says
	 */
	public CacheSettings settings(CacheSettings defaults) {
		return this.settings.apply(defaults);
	}

	@Override
	public String toString() {
		return this.name + " of " + this.type.getTypeName();
	}

}
