package io.github.lockboot.rewrite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.Statement;

/**
 * Finds the sections under locks of Redisson that can be replaced, in a file: a lock, the
 * call that acquires it, a {@code try} whose {@code finally} releases it, and nothing
 * else.
 */
final class LockedSections extends JavaIsoVisitor<Map<UUID, LockedSection>> {

	private final Injection injection;

	private LockedSections(Injection injection) {
		this.injection = injection;
	}

	/** Return the sections by the id of their try statement. */
	static Map<UUID, LockedSection> of(J.CompilationUnit unit, Injection injection) {
		Map<UUID, LockedSection> sections = new HashMap<>();
		new LockedSections(injection).visit(unit, sections);
		return sections;
	}

	@Override
	public J.Block visitBlock(J.Block block, Map<UUID, LockedSection> sections) {
		List<Statement> statements = block.getStatements();
		for (int i = 0; i + 2 < statements.size(); i++) {
			if (statements.get(i) instanceof J.VariableDeclarations declaration) {
				find(block, declaration, statements.subList(i + 1, statements.size()), sections);
			}
		}
		return super.visitBlock(block, sections);
	}

	private void find(J.Block block, J.VariableDeclarations declaration, List<Statement> rest,
			Map<UUID, LockedSection> sections) {
		J.VariableDeclarations.NamedVariable variable = declaration.getVariables().get(0);
		J.MethodInvocation get = RedissonCalls.ofName(variable.getInitializer());
		if (get == null || !(variable.getInitializer() instanceof J.MethodInvocation initializer)
				|| declaration.getVariables().size() != 1 || !this.injection.isClient(get.getSelect())) {
			return;
		}
		String name = variable.getSimpleName();
		J.If refusal = null;
		J.MethodInvocation lock = call(rest.get(0), "lock", name);
		int end = 1;
		if (lock == null) {
			boolean flag = rest.get(0) instanceof J.VariableDeclarations && rest.size() > 2;
			end = flag ? 2 : 1;
			refusal = (rest.get(end - 1) instanceof J.If condition && condition.getElsePart() == null
					&& !SectionBody.completes(condition.getThenPart())) ? condition : null;
			lock = (refusal != null) ? tried(block, flag ? rest.get(0) : null, refusal, name) : null;
		}
		List<Statement> before = new ArrayList<>(List.of(declaration));
		before.addAll(rest.subList(0, end));
		if (lock == null || !(rest.get(end) instanceof J.Try section) || section.getResources() != null
				|| !section.getCatches().isEmpty() || !unlocks(section.getFinally(), name)
				|| uses(name, block) != uses(name, declaration) + uses(name, lock) + uses(name, section.getFinally())
				|| !areKnown(lock.getArguments())) {
			return;
		}
		SectionBody body = new SectionBody(section.getBody(), getCursor());
		boolean interruptible = !(lock.getArguments().get(0) instanceof J.Empty) && refusal != null;
		if (!body.canBeLambda() || refusal != null && body.returnsValue()
				|| interruptible && SectionBody.isCaught("java.lang.InterruptedException", getCursor())) {
			return;
		}
		Expression locks = this.injection.locks(get.getSelect(), getCursor());
		if (locks != null) {
			sections.put(section.getId(), new LockedSection(before, get, RedissonCalls.request(initializer, get), lock,
					refusal, locks, body.returnsValue()));
		}
	}

	/**
	 * Return the call of {@code tryLock} whose result a statement negates, directly or by
	 * a variable that has no other use.
	 */
	private static J.@Nullable MethodInvocation tried(J.Block block, @Nullable Statement flag, J.If refusal,
			String lock) {
		if (!(refusal.getIfCondition().getTree() instanceof J.Unary not) || not.getOperator() != J.Unary.Type.Not) {
			return null;
		}
		if (!(flag instanceof J.VariableDeclarations declaration)) {
			return call(not.getExpression(), "tryLock", lock);
		}
		J.VariableDeclarations.NamedVariable variable = declaration.getVariables().get(0);
		return (not.getExpression() instanceof J.Identifier used
				&& used.getSimpleName().equals(variable.getSimpleName()) && declaration.getVariables().size() == 1
				&& uses(variable.getSimpleName(), block) == uses(variable.getSimpleName(), declaration) + 1)
						? call(variable.getInitializer(), "tryLock", lock) : null;
	}

	/** Return whether the times are numbers: a variable may be negative. */
	private static boolean areKnown(List<Expression> times) {
		return times.stream()
			.limit(Math.max(0, times.size() - 1))
			.allMatch((time) -> time instanceof J.Literal || LockedSection.isNegative(time));
	}

	private static int uses(String variable, @Nullable J tree) {
		return SectionBody.countUses(variable, tree);
	}

	private static J.@Nullable MethodInvocation call(@Nullable J statement, String method, String variable) {
		return (statement instanceof J.MethodInvocation call && call.getSimpleName().equals(method)
				&& call.getSelect() instanceof J.Identifier select && select.getSimpleName().equals(variable)) ? call
						: null;
	}

	private static boolean unlocks(J.@Nullable Block end, String name) {
		if (end == null || end.getStatements().size() != 1) {
			return false;
		}
		Statement statement = end.getStatements().get(0);
		if (statement instanceof J.If condition && condition.getElsePart() == null
				&& isHeld(condition.getIfCondition().getTree(), name)) {
			Statement then = condition.getThenPart();
			statement = (then instanceof J.Block block && block.getStatements().size() == 1)
					? block.getStatements().get(0) : then;
		}
		return call(statement, "unlock", name) != null;
	}

	private static boolean isHeld(Expression condition, String name) {
		return (condition instanceof J.Binary both && both.getOperator() == J.Binary.Type.And)
				? isHeld(both.getLeft(), name) && isHeld(both.getRight(), name)
				: call(condition, "isHeldByCurrentThread", name) != null || call(condition, "isLocked", name) != null;
	}

}
