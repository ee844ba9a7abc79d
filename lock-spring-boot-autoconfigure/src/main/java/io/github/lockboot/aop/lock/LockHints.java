package io.github.lockboot.aop.lock;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.core.annotation.MergedAnnotation;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.DistributedSemaphore;
import io.github.lockboot.annotation.ScheduledLock;
import io.github.lockboot.aop.AnnotatedBeanHints;

/**
 * Registers what locked methods need by reflection in a native image.
 */
final class LockHints extends AnnotatedBeanHints<LockDeclaration> implements RuntimeHintsRegistrar {

	LockHints() {
		super(LockDeclaration.finder());
	}

	@Override
	protected Stream<MergedAnnotation<?>> annotations(LockDeclaration declaration) {
		return Stream.of(declaration.annotation());
	}

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		Stream.of(DistributedLock.class, DistributedSemaphore.class, ScheduledLock.class)
			.forEach((type) -> hints.reflection().registerType(type, MemberCategory.INVOKE_DECLARED_METHODS));
	}

}
