package io.github.lockboot.aop.leader;

import java.util.List;
import java.util.stream.Stream;

import io.github.lockboot.annotation.LeaderOnly;
import io.github.lockboot.aop.AnnotatedBeanHints;

/**
 * Registers what annotated methods need through reflection in a native image.
 */
final class LeaderHints extends AnnotatedBeanHints<LeaderDeclaration> {

	LeaderHints() {
		super(LeaderDeclaration.finder(), (declaration) -> Stream.of(declaration.annotation()),
				List.of(LeaderOnly.class.getName()));
	}

}
