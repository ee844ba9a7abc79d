package io.github.lockboot.aop.lock;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockKeyException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.annotation.InvalidLockAnnotationException;
import io.github.lockboot.annotation.LockMode;
import io.github.lockboot.annotation.OnNotAcquired;
import io.github.lockboot.annotation.Renew;
import io.github.lockboot.aop.AnnotationText;
import io.github.lockboot.aop.MethodNames;
import io.github.lockboot.expression.MethodExpression;
import io.github.lockboot.expression.MethodExpressionParser;

/**
 * Turns an annotation into a {@link LockedMethod}.
 *
 * @param transactions {@code null} without Spring's transactions
 * @param executor where the callers of a stage continue
 */
record LockedMethodParser(MethodExpressionParser expressions, StringValueResolver placeholders,
		Function<String, LockedMethodDefaults> defaults, TemplateLookup templates, FallbackFinder fallbacks,
		@Nullable TransactionalSections transactions, Executor executor, Reruns reruns,
		Function<Method, Object> beans) {

	/** The attributes that a lock without a lease does not have. */
	private static final List<String> OF_LEASES = List.of("leaseTime", "renew", "maxHoldTime", "minHoldTime", "mode",
			"maxWaiting", "fair", "template", "onLost");

	/** Stands for permits that differ between calls, in checks at the start. */
	private static final int SEVERAL = 2;

	LockedMethod parse(LockDeclaration declaration, Class<?> targetClass) {
		this.templates.checkOpen();
		Method method = declaration.method();
		Class<?> owner = MethodNames.owner(method, targetClass);
		String described = MethodNames.describe(method);
		MethodExpression key = expression("Key", declaration.key(), described,
				(written) -> this.expressions.parseKey(written, method, owner));
		MethodExpression condition = expression("Condition", declaration.annotation().getString("condition"), described,
				(written) -> this.expressions.parseCondition(written, method, owner, false));
		try {
			declaration.checkSingle();
			AnnotationText text = new AnnotationText(declaration.annotation(), this.placeholders, "it ");
			String name = name(text, declaration);
			String template = text.text("template");
			this.templates.check(template);
			LockedMethodDefaults defaults = this.defaults.apply(name);
			String permits = permits(declaration, name, defaults);
			NotAcquiredHandler notAcquired = notAcquired(text, defaults, method, owner);
			LockRequest request = request(text, declaration, name, permits, defaults)
				.reason(ClassUtils.getShortName(owner) + "." + method.getName());
			return new LockedMethod(described, request, key,
					(permits != null) ? permitsOfCalls(permits, method, owner) : null, condition, notAcquired,
					this.templates, template, new AtomicReference<>(), this.transactions,
					runner(text, declaration, owner, request, notAcquired));
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidLockAnnotationException(
					declaration.written() + " of " + described + " is invalid: " + ex.getMessage(), ex);
		}
	}

	private LockedMethod.Runner runner(AnnotationText text, LockDeclaration declaration, Class<?> owner,
			LockRequest request, NotAcquiredHandler notAcquired) {
		if (notAcquired != NotAcquiredHandler.RERUNNING) {
			return declaration.isOfTransaction() ? LockedMethod.runnerInTransaction(declaration.method(), owner)
					: LockedMethod.runner(declaration.method(), owner, request, this.executor);
		}
		Duration written = text.duration("waitTime");
		Assert.isTrue(written == null || written.isZero(),
				"its calls do not wait with onNotAcquired = RERUN: remove waitTime");
		RerunMethod.check(declaration, request);
		RerunMethod rerun = new RerunMethod(declaration.method(), request, this.reruns, this.beans,
				new AtomicBoolean());
		LockedMethod.Runner runner = LockedMethod.runnerAgain(declaration.method(), owner, rerun);
		String template = text.text("template");
		rerun.watch(() -> this.templates.get(template));
		return runner;
	}

	/** Parse an expression; {@code null} if it is not written. */
	private static @Nullable MethodExpression expression(String kind, String written, String described,
			Function<String, MethodExpression> parser) {
		return written.isEmpty() ? null : LockedMethod.evaluate(kind, described, () -> parser.apply(written));
	}

	private LockRequest request(AnnotationText text, LockDeclaration declaration, String name, @Nullable String permits,
			LockedMethodDefaults defaults) {
		if (declaration.isOfTransaction()) {
			return requestOfTransaction(text, name, defaults);
		}
		Renew renew = text.annotation().getEnum("renew", Renew.class);
		Duration minHoldTime = duration(text, "minHoldTime", defaults.minHoldTime());
		Duration maxHoldTime = duration(text, "maxHoldTime", defaults.lock().maxHoldTime());
		checkHoldTimes(text, name, minHoldTime, maxHoldTime);
		Duration leaseTime = text.duration("leaseTime");
		int maxWaiting = text.annotation().getInt("maxWaiting");
		LockRequest request = LockRequest.of(escape(name))
			.group(name)
			.waitTime(text.duration("waitTime"))
			.leaseTime(leaseTime)
			.renew((renew == Renew.DEFAULT) ? defaults.renew() : renew == Renew.ON)
			.minHoldTime(minHoldTime)
			.maxHoldTime(maxHoldTime)
			.fair(text.annotation().getBoolean("fair"))
			.permits((permits != null) ? Objects.requireNonNullElse(constant(permits), SEVERAL) : holders(text))
			.maxWaiting((maxWaiting != -1) ? maxWaiting : null)
			.onLost(text.one("onLost", OnLost.class))
			.withDefaults(defaults.lock());
		return defaults.leaseOfStore() ? request.leaseTime(leaseTime) : request;
	}

	/**
	 * Return the request for a lock without a lease. The properties of a lease may be
	 * intended for another method with the same name.
	 */
	private LockRequest requestOfTransaction(AnnotationText text, String name, LockedMethodDefaults defaults) {
		this.templates.checkTransactionLocks();
		MergedAnnotation<?> annotation = text.annotation();
		List<String> others = OF_LEASES.stream().filter((attribute) -> !annotation.hasDefaultValue(attribute)).toList();
		Assert.isTrue(others.isEmpty(), () -> "its scope is TRANSACTION, whose locks have no lease, one holder and no"
				+ " order: remove " + String.join(", ", others));
		return LockRequest.of(escape(name))
			.group(name)
			.waitTime(duration(text, "waitTime", defaults.lock().waitTime()));
	}

	private static @Nullable Duration duration(AnnotationText text, String attribute, @Nullable Duration other) {
		Duration written = text.duration(attribute);
		return (written != null) ? written : other;
	}

	/**
	 * Check the hold times. The message names the property if a hold time is set by a
	 * property.
	 */
	private static void checkHoldTimes(AnnotationText text, String name, @Nullable Duration minHoldTime,
			@Nullable Duration maxHoldTime) {
		boolean possible = minHoldTime == null || maxHoldTime == null || maxHoldTime.isZero()
				|| minHoldTime.compareTo(maxHoldTime) <= 0;
		Assert.isTrue(possible,
				() -> source(text, "minHoldTime", "lock.locks[" + name + "].min-hold-time", minHoldTime)
						+ " is longer than " + source(text, "maxHoldTime",
								"lock.max-hold-time or lock.locks[" + name + "].max-hold-time", maxHoldTime));
	}

	private static String source(AnnotationText text, String attribute, String property, @Nullable Duration value) {
		return text.has(attribute) ? "its " + attribute + " '" + text.text(attribute) + "'"
				: "the " + LockDefaults.text(Objects.requireNonNull(value)) + " of " + property;
	}

	private static int holders(AnnotationText text) {
		return (text.annotation().getEnum("mode", LockMode.class) == LockMode.SHARED) ? Integer.MAX_VALUE : 1;
	}

	/**
	 * Return the permits of a semaphore as they are written or set, {@code null} for a
	 * lock.
	 */
	private static @Nullable String permits(LockDeclaration declaration, String name, LockedMethodDefaults defaults) {
		String written = declaration.permits();
		if (written == null) {
			return null;
		}
		String permits = written.isEmpty() ? defaults.permits() : written;
		Assert.isTrue(permits != null,
				() -> "it has no permits: set its attribute permits, or lock.locks[" + name + "].permits");
		return permits;
	}

	/** Return the number of permits, or {@code null} if an expression gives it. */
	private @Nullable Integer constant(String permits) {
		String resolved = AnnotationText.resolve(permits, this.placeholders).trim();
		return resolved.matches("-?\\d{1,18}") ? whole(resolved) : null;
	}

	/** Return the permits of each call, or {@code null} if they are constant. */
	private @Nullable ToIntFunction<MethodInvocation> permitsOfCalls(String permits, Method method, Class<?> owner) {
		String described = MethodNames.describe(method);
		if (constant(permits) == null) {
			MethodExpression expression = LockedMethod.evaluate("Permits", described,
					() -> this.expressions.parse(permits, method, owner, false));
			return (call) -> number(permits, described, LockedMethod.evaluate("Permits", described,
					() -> String.valueOf(expression.value(call.getThis(), call.getArguments(), null))));
		}
		return permits.contains("${")
				? (call) -> number(permits, described, AnnotationText.resolve(permits, this.placeholders)) : null;
	}

	private static int number(String permits, String described, String value) {
		if (!value.trim().matches("0*[1-9]\\d{0,17}")) {
			throw new LockKeyException(permits, "Permits '" + permits + "' of " + described + " are '" + value
					+ "', but must be a whole number of at least 1", null);
		}
		return whole(value.trim());
	}

	/** The greatest number stands for a shared lock. */
	private static int whole(String digits) {
		return (int) Math.max(-1, Math.min(Integer.MAX_VALUE - 1L, Long.parseLong(digits)));
	}

	private NotAcquiredHandler notAcquired(AnnotationText text, LockedMethodDefaults defaults, Method method,
			Class<?> owner) {
		OnNotAcquired written = text.one("onNotAcquired", OnNotAcquired.class);
		if (text.has("fallback")) {
			Assert.isTrue(written == null, "it has both a fallback and onNotAcquired: remove one of them");
			Assert.isTrue(!KotlinDetector.isSuspendingFunction(method),
					"it is a suspend function, which can't have a fallback: catch LockNotAcquiredException");
			return this.fallbacks.find(text.text("fallback"), method, owner);
		}
		OnNotAcquired chosen = (written != null) ? written : defaults.onNotAcquired();
		return switch (chosen) {
			case THROW -> NotAcquiredHandler.THROWING;
			case SKIP -> NotAcquiredHandler.skipping(method, owner);
			case RERUN -> NotAcquiredHandler.RERUNNING;
		};
	}

	private static String name(AnnotationText text, LockDeclaration declaration) {
		String name = text.text("name");
		Assert.isTrue(!text.has("name") || StringUtils.hasText(name), "its name is blank");
		Assert.isTrue(!isExpression(name, declaration.method()),
				() -> "its name '" + name + "' is an expression, but a name is a literal. Expressions belong into key");
		return name.isEmpty() ? declaration.defaultName() : name;
	}

	private static boolean isExpression(String name, Method method) {
		return name.startsWith("#") || name.contains("#{") || Stream.of(method.getParameters())
			.anyMatch((parameter) -> name.matches(".*[#{]" + Pattern.quote(parameter.getName()) + "\\b.*"));
	}

	/**
	 * Escape colons: the first colon in the name of a lock separates the name from the
	 * key, even if the key contains colons.
	 */
	private static String escape(String name) {
		return name.replace("%", "%25").replace(":", "%3A");
	}

}
