package io.github.lockboot.aop.leader;

import java.lang.reflect.Method;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

import io.github.lockboot.annotation.LeaderOnly;
import io.github.lockboot.aop.DeclarationFinder;

/**
 * The annotation of a method.
 *
 * @param annotation the annotation, with its meta-annotations merged
 */
record LeaderDeclaration(MergedAnnotation<LeaderOnly> annotation, Method method) {

	static DeclarationFinder<LeaderDeclaration> finder() {
		return new DeclarationFinder<>(List.of(LeaderOnly.class.getName()), LeaderDeclaration::read);
	}

	private static @Nullable LeaderDeclaration read(MergedAnnotations all, Method method) {
		MergedAnnotation<LeaderOnly> annotation = all.get(LeaderOnly.class);
		return annotation.isPresent() ? new LeaderDeclaration(annotation, method) : null;
	}

	/** Return the role as written, with its placeholders. */
	String role() {
		return this.annotation.getString("value");
	}

}
