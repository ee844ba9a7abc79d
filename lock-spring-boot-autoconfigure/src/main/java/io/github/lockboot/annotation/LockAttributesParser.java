package io.github.lockboot.annotation;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.expression.ConditionExpression;
import io.github.lockboot.expression.KeyExpression;
import io.github.lockboot.expression.KeyExpressionParser;

/**
 * Turns an annotation into {@link LockAttributes}.
 */
final class LockAttributesParser {

	private final KeyExpressionParser expressions;

	private final StringValueResolver placeholders;

	private final Function<String, LockedMethodDefaults> defaults;

	private final LockTemplates templates;

	private final RefusalParser refusals;

	private final ResultKinds kinds;

	LockAttributesParser(KeyExpressionParser expressions, StringValueResolver placeholders,
			Function<String, LockedMethodDefaults> defaults, LockTemplates templates, RefusalParser refusals,
			ResultKinds kinds) {
		this.expressions = expressions;
		this.placeholders = placeholders;
		this.defaults = defaults;
		this.templates = templates;
		this.refusals = refusals;
		this.kinds = kinds;
	}

	LockAttributes parse(LockDeclaration declaration, Class<?> targetClass) {
		this.templates.checkOpen();
		Class<?> userClass = ClassUtils.getUserClass(targetClass);
		Method method = AopUtils.getMostSpecificMethod(declaration.method(), userClass);
		String described = LockDeclaration.describe(method);
		AnnotationText text = new AnnotationText(declaration.annotation(), this.placeholders);
		KeyExpression key = LockAttributes.evaluate("Key", described, () -> key(declaration, method, targetClass));
		ConditionExpression condition = LockAttributes.evaluate("Condition", described,
				() -> condition(declaration, method, targetClass));
		try {
			declaration.checkSingle();
			String name = name(text, declaration);
			LockedMethodDefaults defaults = this.defaults.apply(name);
			return new LockAttributes(described, request(text, name, defaults), key, condition,
					this.refusals.parse(text, defaults, method, userClass), template(text),
					this.kinds.of(method, userClass));
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidLockAnnotationException(declaration.written(), described, ex);
		}
	}

	private LockRequest request(AnnotationText text, String name, LockedMethodDefaults defaults) {
		OnLost onLost = text.one("onLost", OnLost.class);
		Renew renew = text.annotation().getEnum("renew", Renew.class);
		Duration minHoldTime = text.duration("minHoldTime", defaults.minHoldTime());
		Duration maxHoldTime = text.duration("maxHoldTime", defaults.maxHoldTime());
		checkHoldTimes(text, name, minHoldTime, maxHoldTime);
		return new LockRequest(List.of(escape(name)), name, text.duration("waitTime", defaults.waitTime()),
				text.duration("leaseTime", defaults.leaseTime()), renew.orElse(defaults.renew()), minHoldTime,
				maxHoldTime, text.annotation().getBoolean("fair"), permits(text.annotation()),
				(onLost != null) ? onLost : defaults.onLost());
	}

	/** Either may come from a property, of which the annotation is not to be blamed. */
	private static void checkHoldTimes(AnnotationText text, String name, @Nullable Duration minHoldTime,
			@Nullable Duration maxHoldTime) {
		boolean possible = minHoldTime == null || maxHoldTime == null || maxHoldTime.isZero()
				|| minHoldTime.compareTo(maxHoldTime) <= 0;
		Assert.isTrue(possible,
				() -> text.source("minHoldTime", "lock.locks[" + name + "].min-hold-time", minHoldTime)
						+ " is longer than " + text.source("maxHoldTime",
								"lock.max-hold-time or lock.locks[" + name + "].max-hold-time", maxHoldTime));
	}

	/** Of a semaphore they stand beside the annotation that is merged into it. */
	private static int permits(MergedAnnotation<?> annotation) {
		MergedAnnotation<?> around = annotation.getMetaSource();
		if (around != null && around.getType() == DistributedSemaphore.class) {
			return around.getInt("permits");
		}
		return (annotation.getEnum("mode", LockMode.class) == LockMode.SHARED) ? Integer.MAX_VALUE : 1;
	}

	private @Nullable KeyExpression key(LockDeclaration declaration, Method method, Class<?> targetClass) {
		return declaration.key().isEmpty() ? null : this.expressions.parse(declaration.key(), method, targetClass);
	}

	private @Nullable ConditionExpression condition(LockDeclaration declaration, Method method, Class<?> targetClass) {
		String condition = declaration.annotation().getString("condition");
		return condition.isEmpty() ? null : this.expressions.parseCondition(condition, method, targetClass, false);
	}

	private static String name(AnnotationText text, LockDeclaration declaration) {
		String name = text.text("name");
		Assert.isTrue(!text.has("name") || StringUtils.hasText(name), "its name is blank");
		Assert.isTrue(!name.startsWith("#") && !name.contains("#{"),
				() -> "its name '" + name + "' is an expression, but a name is a literal; expressions belong into key");
		return name.isEmpty() ? declaration.defaultName() : name;
	}

	private String template(AnnotationText text) {
		String template = text.text("template");
		this.templates.check(template);
		return template;
	}

	/** The first colon of a lock's name ends the name, whatever the key holds. */
	private static String escape(String name) {
		return name.replace("%", "%25").replace(":", "%3A");
	}

}
