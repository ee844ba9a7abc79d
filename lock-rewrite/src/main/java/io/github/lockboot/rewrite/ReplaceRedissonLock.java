package io.github.lockboot.rewrite;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.openrewrite.ExecutionContext;
import org.openrewrite.Preconditions;
import org.openrewrite.Recipe;
import org.openrewrite.Tree;
import org.openrewrite.TreeVisitor;
import org.openrewrite.internal.ListUtils;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.JavaVisitor;
import org.openrewrite.java.search.UsesMethod;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.Space;
import org.openrewrite.marker.Markers;
import org.openrewrite.marker.SearchResult;

/**
 * Replaces sections under a Redisson {@code RLock} with {@code LockOperations.execute}.
 *
 * @since 1.0.0
 */
public final class ReplaceRedissonLock extends Recipe {

	private static final String REDISSON = "org.redisson.api.RedissonClient";

	@Override
	public String getDisplayName() {
		return "Replace sections under an `RLock` by `LockOperations.execute`";
	}

	@Override
	public String getDescription() {
		return "`RLock lock = redisson.getLock(name); lock.lock(); try { ... } finally { lock.unlock(); }` becomes "
				+ "`locks.execute(name, () -> { ... })`, which waits for `lock.wait-time` instead of without a limit. "
				+ "A field of type `LockOperations` is used if there is one; otherwise that of `RedissonClient` changes "
				+ "its type, if nothing else uses it. Other sections stay, with a comment that says why.";
	}

	@Override
	public TreeVisitor<?, ExecutionContext> getVisitor() {
		return Preconditions.check(new UsesMethod<>(LockedSections.GET_LOCK), new JavaIsoVisitor<ExecutionContext>() {
			@Override
			public J.CompilationUnit visitCompilationUnit(J.CompilationUnit unit, ExecutionContext context) {
				LockedSections sections = LockedSections.of(unit);
				Map<UUID, LockedSection> replaced = new HashMap<>(sections.byTry());
				boolean changeType = replaced.values().stream().anyMatch((section) -> section.locks() == null);
				if (changeType && !TypeUses.onlyFor(sections.calls(), REDISSON, unit)) {
					changeType = false;
					for (LockedSection section : sections.byTry().values()) {
						if (section.locks() == null) {
							replaced.values().remove(section);
							sections.keep(section.getLock(), "RedissonClient is used for something else, too: "
									+ "add a field of type LockOperations, and run the recipe again");
						}
					}
				}
				J visited = new Sections(replaced, sections.reasons()).visitNonNull(unit, context);
				return (J.CompilationUnit) (changeType ? TypeUses.replace(REDISSON, visited, context) : visited);
			}
		});
	}

	private static final class Sections extends JavaVisitor<ExecutionContext> {

		private final Map<UUID, LockedSection> sections;

		private final Map<UUID, String> reasons;

		private final Set<UUID> removed = new HashSet<>();

		Sections(Map<UUID, LockedSection> sections, Map<UUID, String> reasons) {
			this.sections = sections;
			this.reasons = reasons;
			for (LockedSection section : sections.values()) {
				this.removed.add(section.declaration().getId());
				this.removed.add(section.lock().getId());
			}
		}

		@Override
		public J visitBlock(J.Block block, ExecutionContext context) {
			J.Block visited = (J.Block) super.visitBlock(block, context);
			return visited.withStatements(ListUtils.map(visited.getStatements(),
					(statement) -> this.removed.contains(statement.getId()) ? null : statement));
		}

		@Override
		public J visitMethodInvocation(J.MethodInvocation call, ExecutionContext context) {
			J visited = super.visitMethodInvocation(call, context);
			String reason = this.reasons.get(call.getId());
			return (reason != null) ? SearchResult.found(visited, reason) : visited;
		}

		@Override
		public J visitTry(J.Try statement, ExecutionContext context) {
			J.Try visited = (J.Try) super.visitTry(statement, context);
			LockedSection section = this.sections.get(statement.getId());
			if (section == null) {
				return visited;
			}
			maybeRemoveImport("org.redisson.api.RLock");
			maybeRemoveImport("java.util.concurrent.locks.Lock");
			Expression locks = (section.locks() != null) ? section.locks() : section.redisson();
			String end = section.returnsValue() ? "return null; })" : "})";
			J.MethodInvocation execute = Api
				.template("#{any(io.github.lockboot.LockOperations)}.execute(#{any(java.lang.String)}, () -> { " + end)
				.apply(updateCursor(visited), visited.getCoordinates().replace(), locks.withPrefix(Space.EMPTY),
						section.name().withPrefix(Space.EMPTY));
			execute = withBody(execute, visited.getBody());
			return section.returnsValue() ? new J.Return(Tree.randomId(), section.prefix(), Markers.EMPTY,
					execute.withPrefix(Space.SINGLE_SPACE)) : execute.withPrefix(section.prefix());
		}

		private static J.MethodInvocation withBody(J.MethodInvocation execute, J.Block body) {
			J.Lambda lambda = (J.Lambda) execute.getArguments().get(1);
			return execute.withArguments(
					List.of(execute.getArguments().get(0), lambda.withBody(body.withPrefix(Space.SINGLE_SPACE))));
		}

	}

}
