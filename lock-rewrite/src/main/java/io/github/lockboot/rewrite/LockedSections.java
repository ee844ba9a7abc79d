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
import org.openrewrite.java.MethodMatcher;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.Statement;
import org.openrewrite.java.tree.TypeUtils;

/**
 * Finds the sections under locks of Redisson in a file, and the reasons why others cannot
 * be replaced.
 */
final class LockedSections extends JavaIsoVisitor<Integer> {

	static final MethodMatcher GET_LOCK = new MethodMatcher("org.redisson.api.RedissonClient getLock(String)", true);

	private static final MethodMatcher LOCK = new MethodMatcher("java.util.concurrent.locks.Lock lock()", true);

	private static final MethodMatcher UNLOCK = new MethodMatcher("java.util.concurrent.locks.Lock unlock()", true);

	private static final MethodMatcher HELD = new MethodMatcher("org.redisson.api.RLock isHeldByCurrentThread()", true);

	private final Map<UUID, LockedSection> sections = new HashMap<>();

	private final Map<UUID, String> reasons = new HashMap<>();

	private LockedSections() {
	}

	static LockedSections of(J.CompilationUnit unit) {
		LockedSections sections = new LockedSections();
		sections.visit(unit, 0);
		return sections;
	}

	/**
	 * Return the sections that can be replaced, by the id of their try statement.
	 */
	Map<UUID, LockedSection> byTry() {
		return this.sections;
	}

	/**
	 * Return why other locks cannot be replaced, by the id of their call of
	 * {@code getLock}.
	 */
	Map<UUID, String> reasons() {
		return this.reasons;
	}

	/**
	 * Return the calls of {@code getLock} that can be replaced.
	 */
	Set<UUID> calls() {
		Set<UUID> calls = new HashSet<>();
		this.sections.values().forEach((section) -> calls.add(section.getLock().getId()));
		return calls;
	}

	void keep(J.MethodInvocation getLock, String reason) {
		this.reasons.put(getLock.getId(), reason);
	}

	@Override
	public J.MethodInvocation visitMethodInvocation(J.MethodInvocation call, Integer p) {
		if (GET_LOCK.matches(call)
				&& this.sections.values().stream().noneMatch((section) -> section.getLock().isScope(call))) {
			this.reasons.putIfAbsent(call.getId(),
					"not followed by lock(); try { ... } finally { unlock(); } and nothing else");
		}
		return super.visitMethodInvocation(call, p);
	}

	@Override
	public J.Block visitBlock(J.Block block, Integer p) {
		List<Statement> statements = block.getStatements();
		for (int i = 0; i + 2 < statements.size(); i++) {
			if (statements.get(i) instanceof J.VariableDeclarations declaration
					&& statements.get(i + 1) instanceof J.MethodInvocation lock
					&& statements.get(i + 2) instanceof J.Try section) {
				find(block, declaration, lock, section);
			}
		}
		return super.visitBlock(block, p);
	}

	private void find(J.Block block, J.VariableDeclarations declaration, J.MethodInvocation lock, J.Try section) {
		J.VariableDeclarations.NamedVariable variable = declaration.getVariables().get(0);
		String name = variable.getSimpleName();
		if (declaration.getVariables().size() != 1 || !(variable.getInitializer() instanceof J.MethodInvocation getLock)
				|| !GET_LOCK.matches(getLock) || getLock.getSelect() == null || !isCall(lock, LOCK, name)
				|| section.getResources() != null || !section.getCatches().isEmpty() || !unlocks(section, name)
				|| SectionBody.countUses(name, block) != SectionBody.countUses(name, declaration)
						+ SectionBody.countUses(name, lock) + SectionBody.countUses(name, section.getFinally())) {
			return;
		}
		SectionBody body = new SectionBody(section.getBody(), getCursor());
		String reason = TypeUses.isField(getLock.getSelect()) ? body.reasonToKeep()
				: "RedissonClient is not a field of the class";
		if (reason != null) {
			keep(getLock, reason);
			return;
		}
		this.sections.put(section.getId(), new LockedSection(declaration, getLock, lock, section,
				lockOperations(getLock.getSelect(), getCursor()), body.returnsValue()));
	}

	private static boolean isCall(@Nullable Statement statement, MethodMatcher method, String variable) {
		return statement instanceof J.MethodInvocation call && method.matches(call)
				&& call.getSelect() instanceof J.Identifier select && select.getSimpleName().equals(variable);
	}

	private static boolean unlocks(J.Try section, String name) {
		J.Block end = section.getFinally();
		if (end == null || end.getStatements().size() != 1) {
			return false;
		}
		Statement statement = end.getStatements().get(0);
		if (statement instanceof J.If condition && condition.getElsePart() == null
				&& condition.getIfCondition().getTree() instanceof J.MethodInvocation held
				&& isCall(held, HELD, name)) {
			Statement then = condition.getThenPart();
			statement = (then instanceof J.Block block && block.getStatements().size() == 1)
					? block.getStatements().get(0) : then;
		}
		return isCall(statement, UNLOCK, name);
	}

	/**
	 * Return the field of type {@code LockOperations} of a class, written in the same way
	 * as the field of type {@code RedissonClient}.
	 */
	private static @Nullable Expression lockOperations(Expression redisson, Cursor cursor) {
		J.ClassDeclaration type = cursor.firstEnclosingOrThrow(J.ClassDeclaration.class);
		J.MethodDeclaration method = cursor.firstEnclosingOrThrow(J.MethodDeclaration.class);
		for (Statement member : type.getBody().getStatements()) {
			if (member instanceof J.VariableDeclarations field
					&& TypeUtils.isOfClassType(field.getType(), Api.LOCK_OPERATIONS)
					&& (field.hasModifier(J.Modifier.Type.Static) || !method.hasModifier(J.Modifier.Type.Static))) {
				J.Identifier name = field.getVariables().get(0).getName();
				return (redisson instanceof J.FieldAccess access) ? access.withName(name) : name;
			}
		}
		return null;
	}

}
