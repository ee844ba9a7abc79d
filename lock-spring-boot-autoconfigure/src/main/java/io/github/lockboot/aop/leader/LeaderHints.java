package io.github.lockboot.aop.leader;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.core.annotation.MergedAnnotation;

import io.github.lockboot.annotation.LeaderOnly;
import io.github.lockboot.aop.AnnotatedBeanHints;

/**
 * Registers what annotated methods need through reflection in a native image.
 */
final class LeaderHints extends AnnotatedBeanHints<LeaderDeclaration> {

	LeaderHints() {
		super(LeaderDeclaration.finder(), List.of(LeaderOnly.class.getName()));
	}

	@Override
	protected Stream<MergedAnnotation<?>> annotations(LeaderDeclaration declaration) {
		return Stream.of(declaration.annotation());
	}

}
