package io.github.lockboot.rewrite;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.InMemoryExecutionContext;
import org.openrewrite.Preconditions;
import org.openrewrite.ScanningRecipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.internal.ListUtils;
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
public final class ReplaceSchedulerLock extends ScanningRecipe<ReplaceSchedulerLock.Found> {

	private static final String SCHEDULER_LOCK = "net.javacrumbs.shedlock.spring.annotation.SchedulerLock";

	private static final String ENABLE = "net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock";

	private static final String ASSERT = "net.javacrumbs.shedlock.core.LockAssert";

	private static final String EXTENDER = "net.javacrumbs.shedlock.core.LockExtender";

	private static final String WITHOUT_LOCK = "fails without ShedLock's lock: use LockOperations.ensureHeld";

	@Override
	public String getDisplayName() {
		return "Replace `@SchedulerLock` by `@ScheduledLock`";
	}

	@Override
	public String getDescription() {
		return "`lockAtLeastFor`, or else `defaultLockAtLeastFor`, becomes `minHoldTime`, and `lockAtMostFor`, "
				+ "or else `defaultLockAtMostFor`, becomes `maxHoldTime`. A name with an expression becomes the key of a "
				+ "`@DistributedLock` that skips. `LockAssert` and `LockExtender` are removed from the methods; elsewhere they get a comment.";
	}

	@Override
	public Found getInitialValue(ExecutionContext context) {
		return new Found(new HashMap<>(), new AtomicBoolean());
	}

	@Override
	public TreeVisitor<?, ExecutionContext> getScanner(Found found) {
		return new JavaIsoVisitor<ExecutionContext>() {
			@Override
			public J.Annotation visitAnnotation(J.Annotation annotation, ExecutionContext context) {
				if (TypeUtils.isOfClassType(annotation.getType(), ENABLE)) {
					found.defaults().putAll(AnnotationRewrite.attributesOf(annotation));
				}
				if (TypeUtils.isOfClassType(annotation.getType(), SCHEDULER_LOCK)) {
					found.locked().set(true);
				}
				return annotation;
			}
		};
	}

	@Override
	public TreeVisitor<?, ExecutionContext> getVisitor(Found found) {
		Map<String, Expression> defaults = found.defaults();
		TreeVisitor<?, ExecutionContext> uses = Preconditions.or(new UsesType<>(SCHEDULER_LOCK, false),
				new UsesType<>(ASSERT, false), new UsesType<>(EXTENDER, false));
		return Preconditions.check(uses, new JavaIsoVisitor<ExecutionContext>() {
			@Override
			public J.MethodDeclaration visitMethodDeclaration(J.MethodDeclaration method, ExecutionContext context) {
				J.MethodDeclaration visited = super.visitMethodDeclaration(method, context);
				boolean locked = isAnnotated(method, SCHEDULER_LOCK);
				if (isAnnotated(visited, SCHEDULER_LOCK) || visited.getBody() == null || !found.locked().get()) {
					return visited;
				}
				maybeRemoveImport(ASSERT);
				maybeRemoveImport(EXTENDER);
				return visited.withBody((J.Block) new CallsOfTheLock(locked).visitNonNull(visited.getBody(), context));
			}

			@Override
			public J.Annotation visitAnnotation(J.Annotation annotation, ExecutionContext context) {
				J.Annotation visited = super.visitAnnotation(annotation, context);
				if (!TypeUtils.isOfClassType(visited.getType(), SCHEDULER_LOCK)) {
					return visited;
				}
				Object annotated = getCursor().getParentTreeCursor().getValue();
				Map<String, Expression> attributes = AnnotationRewrite.attributesOf(visited);
				Expression name = attributes.get("name");
				Expression atLeast = attributes.get("lockAtLeastFor");
				Expression byDefault = defaults.get("defaultLockAtLeastFor");
				Expression atMost = attributes.getOrDefault("lockAtMostFor", defaults.get("defaultLockAtMostFor"));
				boolean constant = atLeast == null && isConstant(byDefault)
						|| !attributes.containsKey("lockAtMostFor") && isConstant(atMost);
				String reason = reasonToKeep(annotated, name);
				if (reason == null && constant) {
					reason = "defaultLockAtLeastFor or defaultLockAtMostFor is not a literal";
				}
				if (reason != null || name == null) {
					return SearchResult.found(visited, reason);
				}
				boolean key = name instanceof J.Literal literal && String.valueOf(literal.getValue()).contains("#{");
				AnnotationRewrite lock = new AnnotationRewrite().with(key ? "key" : "name", name);
				if (atLeast != null) {
					lock.with("minHoldTime", withUnit(atLeast));
				}
				else if (byDefault != null) {
					lock.with("minHoldTime", withUnit(byDefault));
				}
				else if (!key) {
					lock.with("minHoldTime", "0");
				}
				if (atMost != null && !extendsLock((J.MethodDeclaration) annotated)) {
					lock.with("maxHoldTime", withUnit(atMost));
				}
				if (key) {
					lock.with("waitTime", "0").skip();
					maybeAddImport(Api.ON_NOT_ACQUIRED, false);
				}
				String type = key ? Api.DISTRIBUTED_LOCK : Api.SCHEDULED_LOCK;
				maybeAddImport(type);
				maybeRemoveImport(SCHEDULER_LOCK);
				return lock.replace(updateCursor(visited), type);
			}
		});
	}

	private static boolean isAnnotated(J.MethodDeclaration method, String type) {
		return method.getLeadingAnnotations()
			.stream()
			.anyMatch((annotation) -> TypeUtils.isOfClassType(annotation.getType(), type));
	}

	private static boolean isConstant(@Nullable Expression byDefault) {
		return byDefault != null && !(byDefault instanceof J.Literal);
	}

	/** Return a time with its unit: a number is milliseconds, also of ShedLock. */
	private static Expression withUnit(Expression time) {
		boolean bare = time instanceof J.Literal literal && String.valueOf(literal.getValue()).matches("[1-9]\\d*");
		return bare ? ((J.Literal) time).withValue(((J.Literal) time).getValue() + "ms")
			.withValueSource("\"" + ((J.Literal) time).getValue() + "ms\"") : time;
	}

	private static @Nullable String reasonToKeep(Object annotated, @Nullable Expression name) {
		if (!(annotated instanceof J.MethodDeclaration method)) {
			return "an annotation of its own: use @ScheduledLock as its meta-annotation by hand";
		}
		if (isAnnotated(method, Api.SCHEDULED_LOCK)) {
			return "the method has a @ScheduledLock already: remove @SchedulerLock when no old instance is left";
		}
		return (name == null) ? "the lock has no name" : null;
	}

	/** Return whether a method makes its lock last longer. */
	private static boolean extendsLock(J.MethodDeclaration method) {
		CallsOfTheLock found = new CallsOfTheLock(false);
		found.visit(method, new InMemoryExecutionContext());
		return found.extend;
	}

	/**
	 * What was found in a project.
	 *
	 * @param defaults the attributes of {@code @EnableSchedulerLock}
	 * @param locked whether there is a {@code @SchedulerLock}
	 */
	record Found(Map<String, Expression> defaults, AtomicBoolean locked) {

	}

	/**
	 * Removes the calls that fail without ShedLock's lock from a method that had the
	 * lock, and comments on those of which something is used, and of other methods.
	 */
	private static final class CallsOfTheLock extends JavaIsoVisitor<ExecutionContext> {

		private final boolean remove;

		private boolean extend;

		CallsOfTheLock(boolean remove) {
			this.remove = remove;
		}

		@Override
		public J.Block visitBlock(J.Block block, ExecutionContext context) {
			J.Block visited = super.visitBlock(block, context);
			return !this.remove ? visited : visited.withStatements(ListUtils.map(visited.getStatements(),
					(statement) -> (statement instanceof J.MethodInvocation call && isCall(call)) ? null : statement));
		}

		@Override
		public J.MethodInvocation visitMethodInvocation(J.MethodInvocation call, ExecutionContext context) {
			J.MethodInvocation visited = super.visitMethodInvocation(call, context);
			return isCall(call) ? SearchResult.found(visited, WITHOUT_LOCK) : visited;
		}

		private boolean isCall(J.MethodInvocation call) {
			if (call.getMethodType() == null) {
				return false;
			}
			boolean extension = TypeUtils.isOfClassType(call.getMethodType().getDeclaringType(), EXTENDER);
			this.extend |= extension;
			return extension || TypeUtils.isOfClassType(call.getMethodType().getDeclaringType(), ASSERT);
		}

	}

}
