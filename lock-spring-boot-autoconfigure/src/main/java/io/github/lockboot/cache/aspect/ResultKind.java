package io.github.lockboot.cache.aspect;

import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;

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

	/**
	 * Run one call, or begin to.
	 * @return a result of the kind
	 */
	@Nullable Object run(CachedCall call) throws Throwable;

}
