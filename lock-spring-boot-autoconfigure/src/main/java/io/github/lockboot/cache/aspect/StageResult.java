package io.github.lockboot.cache.aspect;

import java.lang.reflect.Type;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * A {@link CompletionStage}, whose value is kept. No thread waits for it.
 */
final class StageResult implements ResultKind {

	@Override
	public Type valueType(Type declared) {
		return ResultKind.argumentOf(declared);
	}

	@Override
	public @Nullable Object run(CachedCall call) {
		return call.begin((repeated) -> stage(repeated.proceed()));
	}

	@SuppressWarnings("unchecked")
	private static CompletionStage<@Nullable Object> stage(@Nullable Object result) {
		return (CompletionStage<@Nullable Object>) Objects.requireNonNull(result,
				"The method has returned null instead of a stage");
	}

}
