package io.github.lockboot.annotation;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * The annotations, whose attributes are read by reflection.
 */
final class LockAnnotationHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection().registerType(DistributedLock.class, MemberCategory.INVOKE_DECLARED_METHODS);
		hints.reflection().registerType(DistributedSemaphore.class, MemberCategory.INVOKE_DECLARED_METHODS);
		hints.reflection().registerType(ScheduledLock.class, MemberCategory.INVOKE_DECLARED_METHODS);
	}

}
