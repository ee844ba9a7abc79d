package io.github.lockboot.cache;

import java.lang.reflect.Type;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.util.Assert;

/**
 * Specifies a cache by its name, the type of its values, and settings. All uses of a name
 * share its entries; a name must not be blank or contain a brace. Settings that a
 * specification does not change are those of the properties of the name. Specifications
 * are immutable. Keep a specification in a constant, because the cache prepares its use
 * once for each object.
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

	/** Create a specification for values of a class. */
	public static <T> CacheSpec<T> of(String name, Class<T> type) {
		return new CacheSpec<>(name, type, UnaryOperator.identity());
	}

	/**
	 * Create a specification for values of a generic type.
	 * @param type a reference with braces: <code>new
	 * ParameterizedTypeReference&lt;List&lt;Product&gt;&gt;() {}</code>
	 */
	public static <T> CacheSpec<T> of(String name, ParameterizedTypeReference<T> type) {
		return new CacheSpec<>(name, type.getType(), UnaryOperator.identity());
	}

	/** Create a specification for values of a type that is only known at run time. */
	public static CacheSpec<@Nullable Object> ofType(String name, Type type) {
		return new CacheSpec<>(name, type, UnaryOperator.identity());
	}

	/**
	 * Return this specification with other settings: <code>with((s) -&gt;
	 * s.withTtl(ofMinutes(1)))</code>.
	 * @param settings changes the settings of the properties; also called at once, as a
	 * check
	 * @throws IllegalArgumentException if a setting is not possible
	 */
	public CacheSpec<T> with(UnaryOperator<CacheSettings> settings) {
		settings.apply(this.settings.apply(CacheSettings.defaults()));
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
	 * @param defaults the settings of the properties
	 * @return the defaults with the changes of this specification
	 */
	public CacheSettings settings(CacheSettings defaults) {
		return this.settings.apply(defaults);
	}

	@Override
	public String toString() {
		return this.name + " of " + this.type.getTypeName();
	}

}
