package io.github.lockboot.expression;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * What every expression reaches by reflection: the properties of {@code #root}.
 */
final class ExpressionHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection().registerType(MethodCallRoot.class, MemberCategory.INVOKE_PUBLIC_METHODS);
	}

}
