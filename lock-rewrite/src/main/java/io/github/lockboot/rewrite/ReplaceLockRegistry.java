package io.github.lockboot.rewrite;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Preconditions;
import org.openrewrite.Recipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.MethodMatcher;
import org.openrewrite.java.search.UsesMethod;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeUtils;
import org.openrewrite.marker.SearchResult;

/**
 * Replaces {@code obtain} of Spring Integration's {@code LockRegistry} with
 * {@code LockOperations.asLock}.
 *
 * @since 1.0.0
 */
public final class ReplaceLockRegistry extends Recipe {

	private static final String REGISTRY = "org.springframework.integration.support.locks.LockRegistry";

	private static final MethodMatcher OBTAIN = new MethodMatcher(REGISTRY + " obtain(Object)", true);

	@Override
	public String getDisplayName() {
		return "Replace `LockRegistry.obtain` by `LockOperations.asLock`";
	}

	@Override
	public String getDescription() {
		return "Private fields and parameters of constructors change their type from `LockRegistry` to `LockOperations` "
				+ "where all their uses are `obtain` with a string. A file with another use stays, with a comment. "
				+ "Calls of these constructors in other files are not changed.";
	}

	@Override
	public TreeVisitor<?, ExecutionContext> getVisitor() {
		return Preconditions.check(new UsesMethod<>(OBTAIN), new JavaIsoVisitor<ExecutionContext>() {
			@Override
			public J.CompilationUnit visitCompilationUnit(J.CompilationUnit unit, ExecutionContext context) {
				Set<UUID> calls = calls(unit);
				if (!TypeUses.onlyFor(calls, REGISTRY, unit)) {
					calls = Set.of();
				}
				J.CompilationUnit replaced = (J.CompilationUnit) new Calls(calls).visitNonNull(unit, context);
				return calls.isEmpty() ? replaced : (J.CompilationUnit) TypeUses.replace(REGISTRY, replaced, context);
			}
		});
	}

	private static Set<UUID> calls(J.CompilationUnit unit) {
		Set<UUID> calls = new HashSet<>();
		new JavaIsoVisitor<Set<UUID>>() {
			@Override
			public J.MethodInvocation visitMethodInvocation(J.MethodInvocation call, Set<UUID> calls) {
				Expression registry = call.getSelect();
				if (OBTAIN.matches(call) && registry != null && returnsLock(registry.getType())
						&& TypeUtils.isString(call.getArguments().get(0).getType())) {
					calls.add(call.getId());
				}
				return super.visitMethodInvocation(call, calls);
			}
		}.visit(unit, calls);
		return calls;
	}

	/**
	 * Return whether the locks of a registry are used as {@code Lock} and not as a
	 * subtype.
	 */
	private static boolean returnsLock(@Nullable JavaType registry) {
		return TypeUtils.isOfClassType(registry, REGISTRY)
				&& !(registry instanceof JavaType.Parameterized parameterized && parameterized.getTypeParameters()
					.stream()
					.anyMatch((type) -> type instanceof JavaType.FullyQualified
							&& !TypeUtils.isOfClassType(type, "java.util.concurrent.locks.Lock")));
	}

	private static final class Calls extends JavaIsoVisitor<ExecutionContext> {

		private final Set<UUID> calls;

		Calls(Set<UUID> calls) {
			this.calls = calls;
		}

		@Override
		public J.MethodInvocation visitMethodInvocation(J.MethodInvocation call, ExecutionContext context) {
			J.MethodInvocation visited = super.visitMethodInvocation(call, context);
			if (!OBTAIN.matches(visited) || visited.getSelect() == null) {
				return visited;
			}
			if (!this.calls.contains(visited.getId())) {
				return SearchResult.found(visited,
						"the registry is used in another way, too, than obtain with a string "
								+ "from a private field or a parameter of a constructor");
			}
			return Api.template("#{any(io.github.lockboot.LockOperations)}.asLock(#{any(java.lang.String)})")
				.apply(updateCursor(visited), visited.getCoordinates().replace(), visited.getSelect(),
						visited.getArguments().get(0));
		}

	}

}
