package io.github.lockboot.rewrite;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.openrewrite.ExecutionContext;
import org.openrewrite.Preconditions;
import org.openrewrite.Recipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.internal.ListUtils;
import org.openrewrite.java.ChangeType;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.JavaVisitor;
import org.openrewrite.java.search.UsesType;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.Statement;
import org.openrewrite.marker.SearchResult;

/**
 * Replaces the locks of Redisson with sections of {@code LockOperations}, or with locks
 * of {@code LockOperations.asLock}.
 *
 * @since 1.0.0
 */
public final class ReplaceRedissonLock extends Recipe {

	@Override
	public String getDisplayName() {
		return "Replace `RLock` by `LockOperations`";
	}

	@Override
	public String getDescription() {
		return "`lock.lock(); try { ... } finally { lock.unlock(); }` becomes `locks.execute(request, () -> { ... })`, "
				+ "which waits for a year instead of without a limit, and `tryLock` with a statement that leaves the "
				+ "method becomes `tryExecute`. Every other `RLock` becomes a `LockOperations.LeasedLock`. A "
				+ "`LockOperations` is injected instead of the `RedissonClient`, or next to it if something else uses it.";
	}

	@Override
	public TreeVisitor<?, ExecutionContext> getVisitor() {
		return Preconditions.check(Preconditions.or(new UsesType<>(RedissonCalls.CLIENT, false),
				new UsesType<>(RedissonCalls.LOCK, false), new UsesType<>(RedissonCalls.READ_WRITE_LOCK, false)),
				new JavaIsoVisitor<ExecutionContext>() {
					@Override
					public J.CompilationUnit visitCompilationUnit(J.CompilationUnit unit, ExecutionContext context) {
						Injection injection = new Injection(unit, RedissonCalls.CLIENTS);
						Map<UUID, LockedSection> sections = LockedSections.of(unit, injection);
						LockObjects objects = LockObjects.of(unit, injection, sections);
						J changed = new Locks(sections, objects).visitNonNull(unit, context);
						changed = injection.apply((J.CompilationUnit) changed, objects.calls(), context);
						return (J.CompilationUnit) (objects.reasons().isEmpty() ? changeTypes(changed, context)
								: changed);
					}
				});
	}

	private static J changeTypes(J unit, ExecutionContext context) {
		J changed = (J) new ChangeType(RedissonCalls.LOCK, Api.LEASED_LOCK, true).getVisitor()
			.visitNonNull(unit, context);
		return (J) new ChangeType(RedissonCalls.READ_WRITE_LOCK, Api.LOCK_REQUEST, true).getVisitor()
			.visitNonNull(changed, context);
	}

	private static final class Locks extends JavaVisitor<ExecutionContext> {

		private final Map<UUID, LockedSection> sections;

		private final LockObjects objects;

		private final Set<UUID> removed = new HashSet<>();

		Locks(Map<UUID, LockedSection> sections, LockObjects objects) {
			this.sections = sections;
			this.objects = objects;
			sections.values()
				.forEach((section) -> section.before().forEach((statement) -> this.removed.add(statement.getId())));
		}

		@Override
		public J visitBlock(J.Block block, ExecutionContext context) {
			J.Block visited = (J.Block) super.visitBlock(block, context);
			return visited.withStatements(ListUtils.map(visited.getStatements(),
					(statement) -> this.removed.contains(statement.getId()) ? null : statement));
		}

		@Override
		public J visitTry(J.Try statement, ExecutionContext context) {
			J.Try visited = (J.Try) super.visitTry(statement, context);
			LockedSection section = this.sections.get(statement.getId());
			if (section == null) {
				return visited;
			}
			imports();
			for (String type : new String[] { RedissonCalls.LOCK, "java.util.concurrent.locks.Lock",
					"java.util.concurrent.TimeUnit" }) {
				maybeRemoveImport(type);
			}
			Statement replaced = section.replace(visited);
			return (replaced instanceof J.If refusal)
					? refusal.withThenPart((Statement) visitNonNull(refusal.getThenPart(), context)) : replaced;
		}

		@Override
		public J visitMethodInvocation(J.MethodInvocation call, ExecutionContext context) {
			J.MethodInvocation visited = (J.MethodInvocation) super.visitMethodInvocation(call, context);
			String reason = this.objects.reasons().get(call.getId());
			if (reason != null) {
				return SearchResult.found(visited, reason);
			}
			Expression locks = this.objects.locks(call.getId());
			if (locks != null) {
				imports();
				return (switch (call.getSimpleName()) {
					case "readLock" -> Code.call(locks, "asLock", Code.call(select(visited), "shared"));
					case "forceUnlock" -> Code.call(locks, "forceRelease", Code.call(select(visited), "name"));
					case "writeLock" -> Code.call(locks, "asLock", select(visited));
					default ->
						RedissonCalls.replace(visited, locks, this.objects.isReadWriteLock(call.getId()), getCursor());
				}).withPrefix(call.getPrefix());
			}
			if (RedissonCalls.isWithoutRecipe(call)) {
				return SearchResult.found(visited,
						"no recipe: locks.semaphore(name, permits) is a semaphore whose permits each caller names;"
								+ " there is no latch");
			}
			boolean name = call.getSimpleName().equals("getName") && call.getSelect() != null
					&& RedissonCalls.isLock(call.getSelect().getType()) && this.objects.reasons().isEmpty();
			return name ? visited.withName(visited.getName().withSimpleName("name")) : visited;
		}

		private static Expression select(J.MethodInvocation call) {
			Expression select = call.getSelect();
			if (select == null) {
				throw new IllegalStateException(call.getSimpleName() + " is called on nothing");
			}
			return select;
		}

		@Override
		public J visitNewClass(J.NewClass created, ExecutionContext context) {
			J.NewClass visited = (J.NewClass) super.visitNewClass(created, context);
			String reason = this.objects.reasons().get(created.getId());
			if (reason != null) {
				return SearchResult.found(visited, reason);
			}
			Expression locks = this.objects.locks(created.getId());
			if (locks == null) {
				return visited;
			}
			imports();
			RedissonCalls.SEVERAL.forEach(this::maybeRemoveImport);
			return RedissonCalls.asOne(visited.getArguments(), locks, getCursor()).withPrefix(created.getPrefix());
		}

		/** Import what is used now. */
		private void imports() {
			for (String type : new String[] { Api.LOCK_REQUEST, "java.time.Duration", "java.util.Arrays" }) {
				maybeAddImport(type);
			}
		}

	}

}
