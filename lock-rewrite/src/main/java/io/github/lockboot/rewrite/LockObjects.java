package io.github.lockboot.rewrite;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.TypeUtils;

/**
 * The calls of a file that get locks from Redisson outside of {@link LockedSections}, and
 * the reasons why locks cannot be replaced.
 */
final class LockObjects extends JavaIsoVisitor<Injection> {

	private static final Set<String> METHODS = Set.of("lock", "tryLock", "unlock", "isHeldByCurrentThread", "isLocked",
			"getName", "newCondition", "toString", "equals", "hashCode");

	private final Set<UUID> inSections = new HashSet<>();

	private final Map<UUID, Expression> locks = new HashMap<>();

	private final Set<UUID> readWriteLocks = new HashSet<>();

	private final Map<UUID, String> reasons = new HashMap<>();

	private final Set<UUID> calls = new HashSet<>();

	private LockObjects(Map<UUID, LockedSection> sections) {
		sections.values().forEach((section) -> this.inSections.add(section.get().getId()));
		this.calls.addAll(this.inSections);
	}

	static LockObjects of(J.CompilationUnit unit, Injection injection, Map<UUID, LockedSection> sections) {
		Injection tried = new Injection(unit, RedissonCalls.CLIENTS);
		LockObjects objects = new LockObjects(sections);
		objects.visit(unit, tried);
		if (objects.reasons.isEmpty()) {
			objects.visit(unit, injection);
		}
		else {
			objects.locks.keySet()
				.forEach((call) -> objects.reasons.putIfAbsent(call, "another lock of this file cannot be translated"));
			objects.locks.clear();
			objects.calls.retainAll(objects.inSections);
		}
		return objects;
	}

	/** Return the calls of clients that are replaced, in sections, too. */
	Set<UUID> calls() {
		return this.calls;
	}

	/** Return the {@code LockOperations} for a call that is replaced. */
	@Nullable Expression locks(UUID call) {
		return this.locks.get(call);
	}

	/** Return whether a call is replaced by a {@code ReadWriteLock} of the JDK. */
	boolean isReadWriteLock(UUID call) {
		return this.readWriteLocks.contains(call);
	}

	/** Return why locks are not replaced, by call. */
	Map<UUID, String> reasons() {
		return this.reasons;
	}

	@Override
	public J.MethodInvocation visitMethodInvocation(J.MethodInvocation call, Injection injection) {
		Expression select = call.getSelect();
		if (injection.isClient(select) && RedissonCalls.getsLock(call) && !this.inSections.contains(call.getId())) {
			ofClient(call, select, injection);
		}
		else if (select != null && RedissonCalls.isReadWriteLock(select.getType())) {
			boolean chained = select instanceof J.MethodInvocation get && injection.isClient(get.getSelect());
			if (!(chained && this.inSections.contains(select.getId()))) {
				replace(call.getId(), chained ? injection.locks(((J.MethodInvocation) select).getSelect(), getCursor())
						: injection.locks(getCursor()));
			}
		}
		else if (select != null && RedissonCalls.isLock(select.getType())
				&& call.getSimpleName().equals("forceUnlock")) {
			replace(call.getId(), injection.locks(getCursor()));
		}
		else if (select != null && RedissonCalls.isLock(select.getType()) && !METHODS.contains(call.getSimpleName())
				&& !(call.getSimpleName().equals("lockInterruptibly")
						&& call.getArguments().get(0) instanceof J.Empty)) {
			this.reasons.put(call.getId(), "LockOperations.LeasedLock has no method " + call.getSimpleName()
					+ ": see https://github.com/lockboot/lock-spring-boot/blob/main/docs/migration.md#redisson");
		}
		return super.visitMethodInvocation(call, injection);
	}

	private void ofClient(J.MethodInvocation call, @Nullable Expression client, Injection injection) {
		if (!RedissonCalls.isKnown(call)) {
			this.reasons.put(call.getId(), "only locks by name, and several of them, can be translated");
			return;
		}
		if (call.getSimpleName().equals("getReadWriteLock") && isOfJdk(getCursor())) {
			this.readWriteLocks.add(call.getId());
		}
		replace(call.getId(), injection.locks(client, getCursor()));
		this.calls.add(call.getId());
	}

	/** Return whether a read-write lock becomes a variable of the JDK's type. */
	private static boolean isOfJdk(Cursor cursor) {
		return cursor.getParentTreeCursor().getParentTreeCursor().getValue() instanceof J.VariableDeclarations variable
				&& TypeUtils.isOfClassType(variable.getType(), "java.util.concurrent.locks.ReadWriteLock");
	}

	@Override
	public J.NewClass visitNewClass(J.NewClass created, Injection injection) {
		if (RedissonCalls.SEVERAL.stream().anyMatch((type) -> TypeUtils.isOfClassType(created.getType(), type))) {
			List<Expression> several = created.getArguments();
			replace(created.getId(), RedissonCalls.areLocks(several) ? injection.locks(getCursor()) : null);
		}
		return super.visitNewClass(created, injection);
	}

	private void replace(UUID call, @Nullable Expression locks) {
		if (locks != null) {
			this.locks.put(call, locks);
		}
		else {
			this.reasons.put(call, "RedissonClient is not injected into this class: inject LockOperations by hand");
		}
	}

}
