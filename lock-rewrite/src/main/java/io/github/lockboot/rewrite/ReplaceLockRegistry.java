package io.github.lockboot.rewrite;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Preconditions;
import org.openrewrite.Recipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.JavaIsoVisitor;
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

	private static final Set<String> REGISTRIES = Set.of(REGISTRY,
			"org.springframework.integration.support.locks.ExpirableLockRegistry",
			"org.springframework.integration.support.locks.RenewableLockRegistry",
			"org.springframework.integration.redis.util.RedisLockRegistry",
			"org.springframework.integration.jdbc.lock.JdbcLockRegistry",
			"org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry",
			"org.springframework.integration.hazelcast.lock.HazelcastLockRegistry");

	private static final String LOCK = "java.util.concurrent.locks.Lock";

	private static final String OTHER = "the locks of LockOperations are not in this registry, whose own locks do not "
			+ "exclude their holders";

	@Override
	public String getDisplayName() {
		return "Replace `LockRegistry.obtain` by `LockOperations.asLock`";
	}

	@Override
	public String getDescription() {
		return "A `LockOperations` is injected instead of the `LockRegistry`, or next to it if something else uses it. "
				+ "A registry that is not injected stays, with a comment, as do its other methods. "
				+ "Calls of changed constructors in other files are not changed.";
	}

	@Override
	public TreeVisitor<?, ExecutionContext> getVisitor() {
		return Preconditions.check(new UsesMethod<>(REGISTRY + " obtain(Object)", true),
				new JavaIsoVisitor<ExecutionContext>() {
					@Override
					public J.CompilationUnit visitCompilationUnit(J.CompilationUnit unit, ExecutionContext context) {
						Injection injection = new Injection(unit, REGISTRIES);
						Calls calls = new Calls(injection);
						calls.visit(unit, context);
						J.CompilationUnit replaced = (J.CompilationUnit) calls.replacing().visitNonNull(unit, context);
						return injection.apply(replaced, calls.locks.keySet(), context);
					}
				});
	}

	/** Finds the calls of {@code obtain}. */
	private static final class Calls extends JavaIsoVisitor<ExecutionContext> {

		private final Injection injection;

		private final Map<UUID, Expression> locks = new HashMap<>();

		private final Map<UUID, String> reasons = new HashMap<>();

		/** The calls of other methods. */
		private final Set<UUID> others = new HashSet<>();

		Calls(Injection injection) {
			this.injection = injection;
		}

		@Override
		public J.MethodInvocation visitMethodInvocation(J.MethodInvocation call, ExecutionContext context) {
			if (this.injection.isClient(call.getSelect()) && !call.getSimpleName().equals("obtain")) {
				this.others.add(call.getId());
			}
			else if (this.injection.isClient(call.getSelect())) {
				boolean lock = isUsedAsLock(call, getCursor());
				Expression locks = lock ? this.injection.locks(call.getSelect(), getCursor()) : null;
				if (locks != null) {
					this.locks.put(call.getId(), locks);
				}
				else {
					this.reasons.put(call.getId(),
							lock ? "the registry is not injected into this class: inject LockOperations by hand"
									: "the lock is used as a type other than Lock");
				}
			}
			return super.visitMethodInvocation(call, context);
		}

		private static boolean isUsedAsLock(J.MethodInvocation call, Cursor cursor) {
			JavaType registry = (call.getSelect() != null) ? call.getSelect().getType() : null;
			boolean others = registry instanceof JavaType.Parameterized parameterized
					&& parameterized.getTypeParameters().stream().anyMatch(Calls::isOther);
			return !others && !(cursor.getParentTreeCursor()
				.getParentTreeCursor()
				.getValue() instanceof J.VariableDeclarations variable && isOther(variable.getType()));
		}

		private static boolean isOther(@Nullable JavaType lock) {
			return lock instanceof JavaType.FullyQualified && !(lock instanceof JavaType.GenericTypeVariable)
					&& !TypeUtils.isOfClassType(lock, LOCK);
		}

		private JavaIsoVisitor<ExecutionContext> replacing() {
			return new JavaIsoVisitor<ExecutionContext>() {
				@Override
				public J.MethodInvocation visitMethodInvocation(J.MethodInvocation call, ExecutionContext context) {
					J.MethodInvocation visited = super.visitMethodInvocation(call, context);
					String reason = Calls.this.reasons.get(call.getId());
					if (!Calls.this.locks.isEmpty() && Calls.this.others.contains(call.getId())) {
						reason = OTHER;
					}
					if (reason != null) {
						return SearchResult.found(visited, reason);
					}
					Expression locks = Calls.this.locks.get(call.getId());
					if (locks == null) {
						return visited;
					}
					Expression key = visited.getArguments().get(0);
					Expression name = TypeUtils.isString(key.getType()) ? key
							: Code.call(Code.name("String"), "valueOf", key);
					return Code.call(locks, "asLock", name).withPrefix(call.getPrefix());
				}
			};
		}

	}

}
