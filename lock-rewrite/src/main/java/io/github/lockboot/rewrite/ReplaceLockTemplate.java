package io.github.lockboot.rewrite;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Preconditions;
import org.openrewrite.ScanningRecipe;
import org.openrewrite.SourceFile;
import org.openrewrite.Tree;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.ChangeType;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.JavaVisitor;
import org.openrewrite.java.search.UsesType;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JLeftPadded;
import org.openrewrite.java.tree.JRightPadded;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.Statement;
import org.openrewrite.java.tree.TypeUtils;
import org.openrewrite.marker.Markers;
import org.openrewrite.marker.SearchResult;

/**
 * Replaces {@code lock} and {@code releaseLock} of Lock4j's {@code LockTemplate} with
 * {@code LockOperations.tryAcquire} and {@code LockHandle.close}.
 *
 * @since 1.0.0
 */
public final class ReplaceLockTemplate extends ScanningRecipe<AtomicBoolean> {

	private static final String TEMPLATE = "com.baomidou.lock.LockTemplate";

	private static final String INFO = "com.baomidou.lock.LockInfo";

	private static final String EXECUTOR = "com.baomidou.lock.executor.RedissonLockExecutor";

	private static final String RE_ENTRANT = "the lock of Lock4j with Redisson was re-entrant, a handle is not: "
			+ "a thread that holds the lock gets null, for nested calls use tryExecute";

	@Override
	public String getDisplayName() {
		return "Replace `LockTemplate` by `LockOperations`";
	}

	@Override
	public String getDescription() {
		return "`lock(key, expire, acquireTimeout)` becomes `tryAcquire` with `maxHoldTime` and `waitTime`, and "
				+ "`releaseLock` becomes `close`. A `LockOperations` is injected instead of the `LockTemplate`. Where Lock4j "
				+ "uses Redisson, whose locks are re-entrant, a comment says that handles are not.";
	}

	@Override
	public AtomicBoolean getInitialValue(ExecutionContext context) {
		return new AtomicBoolean();
	}

	/** Look for Redisson as the executor, in build files and sources. */
	@Override
	public TreeVisitor<?, ExecutionContext> getScanner(AtomicBoolean redisson) {
		return new TreeVisitor<Tree, ExecutionContext>() {
			@Override
			public @Nullable Tree visit(@Nullable Tree tree, ExecutionContext context) {
				boolean found = (tree instanceof J.CompilationUnit unit) ? AddStarter.uses(unit, EXECUTOR, context)
						: tree instanceof SourceFile file && AddStarter.isBuild(file)
								&& file.printAll().contains("lock4j-redisson");
				if (found) {
					redisson.set(true);
				}
				return tree;
			}
		};
	}

	@Override
	public TreeVisitor<?, ExecutionContext> getVisitor(AtomicBoolean redisson) {
		return Preconditions.check(Preconditions.or(new UsesType<>(TEMPLATE, false), new UsesType<>(INFO, false)),
				new JavaIsoVisitor<ExecutionContext>() {
					@Override
					public J.CompilationUnit visitCompilationUnit(J.CompilationUnit unit, ExecutionContext context) {
						Injection injection = new Injection(unit, Set.of(TEMPLATE));
						Calls calls = new Calls(injection);
						calls.visit(unit, context);
						J changed = new Handles(calls, redisson.get()).visitNonNull(unit, context);
						if (!calls.reasons.isEmpty()) {
							return (J.CompilationUnit) changed;
						}
						changed = injection.apply((J.CompilationUnit) changed, calls.locks.keySet(), context);
						return (J.CompilationUnit) new ChangeType(INFO, Api.LOCK_HANDLE, true).getVisitor()
							.visitNonNull(changed, context);
					}
				});
	}

	private static final class Calls extends JavaIsoVisitor<ExecutionContext> {

		private final Injection injection;

		private final Map<UUID, Expression> locks = new HashMap<>();

		private final Map<UUID, String> reasons = new HashMap<>();

		Calls(Injection injection) {
			this.injection = injection;
		}

		@Override
		public J.MethodInvocation visitMethodInvocation(J.MethodInvocation call, ExecutionContext context) {
			Expression select = call.getSelect();
			if (this.injection.isClient(select)) {
				Expression locks = this.injection.locks(select, getCursor());
				String reason = (locks == null) ? "LockTemplate is not injected into this class" : reasonToKeep(call);
				if (reason != null || locks == null) {
					this.reasons.put(call.getId(), reason);
				}
				else {
					this.locks.put(call.getId(), locks);
				}
			}
			else if (select != null && TypeUtils.isOfClassType(select.getType(), INFO)
					&& !call.getSimpleName().equals("getLockKey")) {
				this.reasons.put(call.getId(), "LockHandle has no method " + call.getSimpleName());
			}
			return super.visitMethodInvocation(call, context);
		}

		private @Nullable String reasonToKeep(J.MethodInvocation call) {
			if (call.getSimpleName().equals("releaseLock")) {
				J parent = getCursor().getParentTreeCursor().getValue();
				if (!(call.getArguments().get(0) instanceof J.Identifier
						|| call.getArguments().get(0) instanceof J.FieldAccess)) {
					return "close() must not follow a second call of the same method";
				}
				return (parent instanceof J.Block
						|| (parent instanceof J.If condition && condition.getElsePart() == null)) ? null
								: "LockHandle.close() returns nothing";
			}
			return (call.getSimpleName().equals("lock") && call.getArguments().size() < 4) ? null
					: "LockOperations has one store, and no executor";
		}

	}

	private static final class Handles extends JavaVisitor<ExecutionContext> {

		private final Calls calls;

		/** Whether the locks were re-entrant, of which one comment in the file tells. */
		private boolean reEntrant;

		Handles(Calls calls, boolean reEntrant) {
			this.calls = calls;
			this.reEntrant = reEntrant;
		}

		@Override
		public J visitMethodInvocation(J.MethodInvocation call, ExecutionContext context) {
			J.MethodInvocation visited = (J.MethodInvocation) super.visitMethodInvocation(call, context);
			String reason = this.calls.reasons.get(call.getId());
			if (reason != null) {
				return SearchResult.found(visited, reason);
			}
			if (!this.calls.reasons.isEmpty()) {
				return visited;
			}
			if (call.getSelect() != null && TypeUtils.isOfClassType(call.getSelect().getType(), INFO)) {
				return visited.withName(visited.getName().withSimpleName("name"));
			}
			Expression locks = this.calls.locks.get(call.getId());
			if (locks == null) {
				return visited;
			}
			List<Expression> arguments = visited.getArguments();
			if (call.getSimpleName().equals("releaseLock")) {
				Expression handle = arguments.get(0);
				J.MethodInvocation close = Code.call(handle, "close");
				return (mayBeNull(handle) ? unlessNull(handle, close) : close).withPrefix(call.getPrefix());
			}
			maybeAddImport(Api.LOCK_REQUEST);
			maybeAddImport("java.time.Duration");
			J.MethodInvocation acquire = Code.call(locks, "tryAcquire", request(arguments))
				.withPrefix(call.getPrefix());
			boolean comment = this.reEntrant;
			this.reEntrant = false;
			return comment ? SearchResult.found(acquire, RE_ENTRANT) : acquire;
		}

		/** Return the request for the key, the expiry and the wait time of a call. */
		private static J.MethodInvocation request(List<Expression> arguments) {
			J.MethodInvocation request = Code.request(arguments.get(0));
			if (arguments.size() == 1) {
				return request;
			}
			Expression millis = Code.name("MILLISECONDS");
			if (!LockedSection.isNegative(arguments.get(2))) {
				request = Code.call(request, "waitTime", Code.duration(arguments.get(2), millis));
			}
			boolean endless = LockedSection.isNegative(arguments.get(1))
					|| arguments.get(1) instanceof J.Literal literal && literal.getValue() instanceof Number number
							&& number.longValue() == 0;
			if (endless) {
				return request;
			}
			request = Code.call(request, "maxHoldTime", Code.duration(arguments.get(1), millis));
			return (arguments.get(1) instanceof J.Literal) ? request
					: SearchResult.found(request, "maxHoldTime has to be zero, for no limit, or at least 10 ms");
		}

		/** Return whether nothing has checked that a lock was acquired. */
		private boolean mayBeNull(Expression handle) {
			String name = handle.printTrimmed(getCursor());
			Cursor cursor = getCursor();
			while (!(cursor.getValue() instanceof J.MethodDeclaration) && !cursor.isRoot()) {
				J statement = cursor.getValue();
				cursor = cursor.getParentTreeCursor();
				if (cursor.getValue() instanceof J.If condition && condition.getIfCondition() != statement
						&& checks(condition, name)) {
					return false;
				}
				if (cursor.getValue() instanceof J.Block block) {
					for (Statement before : block.getStatements()) {
						if (before.isScope(statement)) {
							break;
						}
						if (before instanceof J.If condition && checks(condition, name)
								&& !SectionBody.completes(condition.getThenPart())) {
							return false;
						}
					}
				}
			}
			return true;
		}

		private boolean checks(J.If condition, String name) {
			String text = condition.getIfCondition().printTrimmed(getCursor());
			return text.contains(name) && (text.contains("null") || text.contains("Null"));
		}

		private static Statement unlessNull(Expression handle, Statement then) {
			J.Literal none = new J.Literal(Tree.randomId(), Space.SINGLE_SPACE, Markers.EMPTY, null, "null", null,
					JavaType.Primitive.Null);
			Expression condition = new J.Binary(Tree.randomId(), Space.EMPTY, Markers.EMPTY,
					handle.withPrefix(Space.EMPTY),
					new JLeftPadded<>(Space.SINGLE_SPACE, J.Binary.Type.NotEqual, Markers.EMPTY), none,
					JavaType.Primitive.Boolean);
			Statement spaced = then.withPrefix(Space.SINGLE_SPACE);
			return new J.If(
					Tree.randomId(), Space.EMPTY, Markers.EMPTY, new J.ControlParentheses<>(Tree.randomId(),
							Space.SINGLE_SPACE, Markers.EMPTY, JRightPadded.build(condition)),
					JRightPadded.build(spaced), null);
		}

	}

}
