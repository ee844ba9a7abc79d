package io.github.lockboot.annotation;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.expression.KeyExpression;
import io.github.lockboot.expression.KeyExpressionException;
import io.github.lockboot.expression.KeyExpressionParser;

/**
 * Turns an annotation into {@link LockAttributes}.
 */
final class LockAttributesParser {

	private final KeyExpressionParser keys;

	private final StringValueResolver placeholders;

	private final Function<String, LockDefaults> defaults;

	LockAttributesParser(KeyExpressionParser keys, StringValueResolver placeholders,
			Function<String, LockDefaults> defaults) {
		this.keys = keys;
		this.placeholders = placeholders;
		this.defaults = defaults;
	}

	LockAttributes parse(LockDeclaration declaration, Class<?> targetClass) {
		Method method = AopUtils.getMostSpecificMethod(declaration.method(), ClassUtils.getUserClass(targetClass));
		String described = LockDeclaration.describe(method);
		try {
			return parse(declaration, described, key(declaration.key(), method, targetClass));
		}
		catch (KeyExpressionException ex) {
			throw LockAttributes.keyFailure(described, ex);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidLockAnnotationException(described, ex);
		}
	}

	private LockAttributes parse(LockDeclaration declaration, String method, @Nullable KeyExpression key) {
		MergedAnnotation<DistributedLock> annotation = declaration.annotation();
		String name = name(declaration);
		LockRequest written = LockRequest.of(name)
			.waitTime(duration(annotation, "waitTime"))
			.leaseTime(duration(annotation, "leaseTime"))
			.onLost(onLost(annotation));
		LockDefaults other = this.defaults.apply(name);
		return new LockAttributes(method, name, key, otherwise(written.waitTime(), other.waitTime()),
				otherwise(written.leaseTime(), other.leaseTime()), otherwise(written.onLost(), other.onLost()));
	}

	private @Nullable KeyExpression key(String key, Method method, Class<?> targetClass) {
		return key.isEmpty() ? null : this.keys.parse(key, method, targetClass);
	}

	private String name(LockDeclaration declaration) {
		String written = declaration.annotation().getString("name");
		String name = resolve(written);
		Assert.isTrue(written.isEmpty() || StringUtils.hasText(name), "its name is blank");
		Assert.isTrue(!name.startsWith("#") && !name.contains("#{"),
				() -> "its name '" + name + "' is an expression, but a name is a literal; expressions belong into key");
		return name.isEmpty() ? declaration.defaultName() : name;
	}

	private @Nullable Duration duration(MergedAnnotation<DistributedLock> annotation, String attribute) {
		String text = resolve(annotation.getString(attribute)).trim();
		if (text.isEmpty()) {
			return null;
		}
		try {
			return DurationFormatterUtils.detectAndParse(text);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"its " + attribute + " '" + text + "' is not a duration; write for example 500ms, 3s or PT1M", ex);
		}
	}

	private static @Nullable OnLost onLost(MergedAnnotation<DistributedLock> annotation) {
		OnLost[] values = annotation.getEnumArray("onLost", OnLost.class);
		Assert.isTrue(values.length <= 1, "its onLost has more than one value");
		return (values.length == 1) ? values[0] : null;
	}

	private static <T> T otherwise(@Nullable T written, T other) {
		return (written != null) ? written : other;
	}

	private String resolve(String text) {
		String resolved = text.isEmpty() ? text : this.placeholders.resolveStringValue(text);
		return (resolved != null) ? resolved : "";
	}

}
