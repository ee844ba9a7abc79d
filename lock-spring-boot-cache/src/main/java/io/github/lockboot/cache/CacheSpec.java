package io.github.lockboot.cache;

import java.lang.reflect.Type;
import java.util.Collection;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.util.Assert;

import io.github.lockboot.Internal;

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

	private final @Nullable Function<? super T, ? extends Collection<?>> tags;

	/** The same for all specifications that differ in their tags only. */
	private final Object identity;

	private CacheSpec(String name, Type type, UnaryOperator<CacheSettings> settings,
			@Nullable Function<? super T, ? extends Collection<?>> tags, @Nullable Object identity) {
		Assert.hasText(name, "The name of a cache must not be blank");
		Assert.isTrue(name.indexOf('{') < 0 && name.indexOf('}') < 0,
				() -> "The name of a cache must not contain '{' or '}' but is '" + name + "'");
		this.name = name;
		this.type = type;
		this.settings = settings;
		this.tags = tags;
		this.identity = (identity != null) ? identity : this;
	}

	/** Create a specification for values of a class. */
	public static <T> CacheSpec<T> of(String name, Class<T> type) {
		return new CacheSpec<>(name, type, UnaryOperator.identity(), null, null);
	}

	/**
	 * Create a specification for values of a generic type.
	 * @param type a reference with braces: <code>new
	 * ParameterizedTypeReference&lt;List&lt;Product&gt;&gt;() {}</code>
	 */
	public static <T> CacheSpec<T> of(String name, ParameterizedTypeReference<T> type) {
		return new CacheSpec<>(name, type.getType(), UnaryOperator.identity(), null, null);
	}

	/** Create a specification for values of a type that is only known at run time. */
	public static CacheSpec<@Nullable Object> ofType(String name, Type type) {
		return new CacheSpec<>(name, type, UnaryOperator.identity(), null, null);
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
		return new CacheSpec<>(this.name, this.type, (before) -> settings.apply(this.settings.apply(before)), this.tags,
				null);
	}

	/**
	 * Return this specification with tags, to evict all entries of a tag by
	 * {@link CacheEviction#ofTags}. The tags may depend on the call, too: this method
	 * costs little.
	 * @param tags returns the tags of a value that is stored, at most 255; each of them
	 * may be what a key may be
	 */
	public CacheSpec<T> withTags(Function<? super T, ? extends Collection<?>> tags) {
		return new CacheSpec<>(this.name, this.type, this.settings, tags, this.identity);
	}

	/** Return what returns the tags of a value, or {@code null}. */
	@Internal
	public @Nullable Function<? super T, ? extends Collection<?>> tags() {
		return this.tags;
	}

	/** Return an object that specifications share that differ in their tags only. */
	@Internal
	public Object identity() {
		return this.identity;
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
