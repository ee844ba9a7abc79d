package io.github.lockboot.aop.lock;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.core.annotation.MergedAnnotation;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.DistributedSemaphore;
import io.github.lockboot.annotation.ScheduledLock;
import io.github.lockboot.aop.AnnotatedBeanHints;

/**
 * Registers what locked methods need through reflection in a native image.
 */
final class LockHints extends AnnotatedBeanHints<LockDeclaration> {

	LockHints() {
		super(LockDeclaration.finder(), List.of(DistributedLock.class.getName(), DistributedSemaphore.class.getName(),
				ScheduledLock.class.getName()));
	}

	@Override
	protected Stream<MergedAnnotation<?>> annotations(LockDeclaration declaration) {
		return Stream.of(declaration.annotation());
	}

}
