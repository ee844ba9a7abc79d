package io.github.lockboot.rewrite;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Preconditions;
import org.openrewrite.Recipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.search.UsesType;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.TypeUtils;
import org.openrewrite.marker.SearchResult;

/**
 * Replaces ShedLock's {@code @SchedulerLock} with {@code @ScheduledLock}.
 *
 * @since 1.0.0
 */
public final class ReplaceSchedulerLock extends Recipe {

	private static final String SCHEDULER_LOCK = "net.javacrumbs.shedlock.spring.annotation.SchedulerLock";

	@Override
	public String getDisplayName() {
		return "Replace `@SchedulerLock` by `@ScheduledLock`";
	}

	@Override
	public String getDescription() {
		return "`lockAtLeastFor` becomes `minHoldTime`, and `lockAtMostFor` becomes `maxHoldTime`. "
				+ "An annotation without `lockAtLeastFor` stays, with a comment, because `minHoldTime` is required.";
	}

	@Override
	public TreeVisitor<?, ExecutionContext> getVisitor() {
		return Preconditions.check(new UsesType<>(SCHEDULER_LOCK, false), new JavaIsoVisitor<ExecutionContext>() {
			@Override
			public J.Annotation visitAnnotation(J.Annotation annotation, ExecutionContext context) {
				J.Annotation visited = super.visitAnnotation(annotation, context);
				if (!TypeUtils.isOfClassType(visited.getType(), SCHEDULER_LOCK)) {
					return visited;
				}
				Map<String, Expression> attributes = AnnotationRewrite.attributesOf(visited);
				Expression name = attributes.get("name");
				Expression atLeast = attributes.get("lockAtLeastFor");
				Expression atMost = attributes.get("lockAtMostFor");
				String reason = reasonToKeep(getCursor().getParentTreeCursor().getValue(), name, atLeast);
				if (reason != null || name == null || atLeast == null) {
					return SearchResult.found(visited, reason);
				}
				AnnotationRewrite lock = new AnnotationRewrite().with("name", name).with("minHoldTime", atLeast);
				if (atMost != null) {
					lock.with("maxHoldTime", atMost);
				}
				maybeAddImport(Api.SCHEDULED_LOCK);
				maybeRemoveImport(SCHEDULER_LOCK);
				return lock.replace(updateCursor(visited), Api.SCHEDULED_LOCK);
			}
		});
	}

	private static @Nullable String reasonToKeep(Object annotated, @Nullable Expression name,
			@Nullable Expression atLeast) {
		if (!(annotated instanceof J.MethodDeclaration method)) {
			return "an annotation of its own: use @ScheduledLock as its meta-annotation by hand";
		}
		if (method.getLeadingAnnotations()
			.stream()
			.anyMatch((annotation) -> TypeUtils.isOfClassType(annotation.getType(), Api.SCHEDULED_LOCK))) {
			return "the method has a @ScheduledLock already: remove @SchedulerLock when no old instance is left";
		}
		if (atLeast == null) {
			return "no lockAtLeastFor, but minHoldTime is required: longer than the clocks of the instances differ";
		}
		if (name == null || name instanceof J.Literal literal && String.valueOf(literal.getValue()).contains("#{")) {
			return "the name is an expression: use @DistributedLock with a key";
		}
		return null;
	}

}
