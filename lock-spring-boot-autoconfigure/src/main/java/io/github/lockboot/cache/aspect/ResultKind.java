package io.github.lockboot.cache.aspect;

import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * How the calls of a method are cached that has one kind of result: what its values are,
 * and when they are there. Chosen once per method. Thread-safe.
 */
interface ResultKind {

	/** The result is the value. */
	ResultKind PLAIN = new ResultKind() {

		@Override
		public Type valueType(Type declared) {
			return declared;
		}

		@Override
		public @Nullable Object run(CachedCall call) throws Throwable {
			return call.runHere();
		}

	};

	/**
	 * Return the type of the values.
	 * @param declared the type that the method returns
	 */
	Type valueType(Type declared);

	/** Return the type that stands in angle brackets, without any it may be all. */
	static Type argumentOf(Type declared) {
		ResolvableType argument = ResolvableType.forType(declared).getGeneric(0);
		boolean said = argument != ResolvableType.NONE && !(argument.getType() instanceof TypeVariable);
		return said ? argument.getType() : Object.class;
	}

	/**
	 * Run one call, or begin to.
	 * @return a result of the kind
	 */
	@Nullable Object run(CachedCall call) throws Throwable;

}
