package io.github.lockboot.annotation;

import java.lang.reflect.Method;

import org.springframework.core.KotlinDetector;
import org.springframework.util.Assert;

/**
 * Finds out what a caller of a method gets whose lock stays busy.
 */
final class RefusalParser {

	private final FallbackFinder fallbacks;

	RefusalParser(FallbackFinder fallbacks) {
		this.fallbacks = fallbacks;
	}

	/**
	 * Parse what an annotation says.
	 * @throws IllegalArgumentException if there is no such fallback, or the method's
	 * result can't be skipped
	 */
	Refusal parse(AnnotationText text, LockedMethodDefaults defaults, Method method, Class<?> userClass) {
		OnNotAcquired written = text.one("onNotAcquired", OnNotAcquired.class);
		if (text.has("fallback")) {
			Assert.isTrue(written == null, "it has a fallback and onNotAcquired, of which only one can be: remove one");
			Assert.isTrue(!KotlinDetector.isSuspendingFunction(method),
					"it is a suspend function, which can't have a fallback: catch LockNotAcquiredException");
			return this.fallbacks.find(text.text("fallback"), method, userClass);
		}
		OnNotAcquired chosen = (written != null) ? written : defaults.onNotAcquired();
		return (chosen == OnNotAcquired.SKIP) ? SkippedResult.of(method.getReturnType()) : Refusal.THROWING;
	}

}
