package io.github.lockboot.annotation;

import java.lang.reflect.Method;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;

/**
 * Tells why a method would run without its lock where AspectJ is to lock it.
 */
final class WovenMethodCheck {

	static final String SUSPENDING = "is a suspend function, which can't be locked under weaving:"
			+ " set lock.aspect.mode=proxy, or return a Mono";

	static final String NO_WEAVER = "lock.aspect.mode is aspectj, and no weaver has woven the aspect:"
			+ " start the JVM with -javaagent:aspectjweaver.jar, or set lock.aspect.mode=proxy";

	private WovenMethodCheck() {
	}

	/**
	 * Return why a method is not locked.
	 * @return the end of a sentence, or {@code null} if it is
	 */
	static @Nullable String problemOf(LockedMethod locked) {
		if (KotlinDetector.isSuspendingFunction(locked.method())) {
			return SUSPENDING;
		}
		return isWoven(locked.method()) ? null
				: "is not woven: put the annotation on the method itself, or on its class, and let the class be loaded"
						+ " after the weaver was started";
	}

	/** The weaver moves the body into a static method beside it. */
	private static boolean isWoven(Method method) {
		return Arrays.stream(method.getDeclaringClass().getDeclaredMethods())
			.filter((other) -> other.getName().startsWith(method.getName() + "_aroundBody"))
			.anyMatch((other) -> Arrays.asList(other.getParameterTypes())
				.containsAll(Arrays.asList(method.getParameterTypes())));
	}

}
