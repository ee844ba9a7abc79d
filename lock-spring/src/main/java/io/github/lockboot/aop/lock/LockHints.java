package io.github.lockboot.aop.lock;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.DistributedSemaphore;
import io.github.lockboot.annotation.ScheduledLock;
import io.github.lockboot.aop.AnnotatedBeanHints;

/**
 * Registers what locked methods need through reflection in a native image.
 */
final class LockHints extends AnnotatedBeanHints<LockDeclaration> {

	private static final List<String> OPTIONAL = List.of("jakarta.persistence.PersistenceException",
			"org.hibernate.Session", "org.springframework.integration.support.locks.DistributedLock",
			"org.springframework.orm.jpa.EntityManagerHolder");

	LockHints() {
		super(LockDeclaration.finder(), (declaration) -> Stream.of(declaration.annotation()), List
			.of(DistributedLock.class.getName(), DistributedSemaphore.class.getName(), ScheduledLock.class.getName()));
	}

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		super.registerHints(hints, classLoader);
		registerOptional(OPTIONAL, hints, classLoader);
	}

}
