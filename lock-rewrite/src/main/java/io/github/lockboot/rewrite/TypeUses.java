package io.github.lockboot.rewrite;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

import org.openrewrite.Cursor;
import org.openrewrite.ExecutionContext;
import org.openrewrite.java.ChangeType;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.JavaVisitor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeUtils;

/**
 * The uses of a type in a file. The type can be replaced with {@code LockOperations} if
 * only private fields and parameters of constructors have the type, and only known
 * methods are called on them.
 */
final class TypeUses extends JavaIsoVisitor<AtomicBoolean> {

	private static final Set<String> INJECTION = Set.of("Autowired", "Inject", "Lazy");

	private final String type;

	private final Set<UUID> calls;

	private TypeUses(String type, Set<UUID> calls) {
		this.type = type;
		this.calls = calls;
	}

	/**
	 * Return whether only the given calls, and what they need, use the type.
	 */
	static boolean onlyFor(Set<UUID> calls, String type, J.CompilationUnit unit) {
		AtomicBoolean other = new AtomicBoolean();
		new TypeUses(type, calls).visit(unit, other);
		return !other.get();
	}

	/**
	 * Replace the type with {@code LockOperations}.
	 */
	static J replace(String type, J unit, ExecutionContext context) {
		J withoutParameters = new JavaVisitor<ExecutionContext>() {
			@Override
			public J visitParameterizedType(J.ParameterizedType parameterized, ExecutionContext context) {
				return (TypeUtils.isOfClassType(parameterized.getType(), type)
						&& parameterized.getClazz() instanceof J.Identifier name)
								? name.withType(JavaType.ShallowClass.build(type)).withPrefix(parameterized.getPrefix())
								: super.visitParameterizedType(parameterized, context);
			}
		}.visitNonNull(unit, context);
		return (J) new ChangeType(type, Api.LOCK_OPERATIONS, true).getVisitor()
			.visitNonNull(withoutParameters, context);
	}

	/**
	 * Return whether an expression is a field, as {@code name} or {@code this.name}.
	 */
	static boolean isField(Expression expression) {
		J.Identifier name = (expression instanceof J.FieldAccess access
				&& access.getTarget() instanceof J.Identifier target && target.getSimpleName().equals("this"))
						? access.getName() : (expression instanceof J.Identifier identifier) ? identifier : null;
		return name != null && name.getFieldType() != null
				&& name.getFieldType().getOwner() instanceof JavaType.FullyQualified;
	}

	/**
	 * Return the longest name or type that ends with an identifier, as {@code this.name}
	 * or {@code Type<T>}.
	 */
	static Cursor whole(Cursor identifier) {
		Cursor use = identifier;
		J parent = use.getParentTreeCursor().getValue();
		while (parent instanceof J.FieldAccess access && access.getName().isScope(use.getValue())
				|| parent instanceof J.ParameterizedType parameterized
						&& parameterized.getClazz().isScope(use.getValue())) {
			use = use.getParentTreeCursor();
			parent = use.getParentTreeCursor().getValue();
		}
		return use;
	}

	@Override
	public J.Import visitImport(J.Import imported, AtomicBoolean other) {
		return imported;
	}

	@Override
	public J.Identifier visitIdentifier(J.Identifier identifier, AtomicBoolean other) {
		if (is(identifier)) {
			Cursor use = whole(getCursor());
			Cursor parent = use.getParentTreeCursor();
			if (!isKnown(use.getValue(), parent.getValue(), parent)) {
				other.set(true);
			}
		}
		return identifier;
	}

	private boolean isKnown(J use, J parent, Cursor cursor) {
		if (parent instanceof J.VariableDeclarations variables) {
			return isInjected(variables, cursor.getParentTreeCursor());
		}
		if (parent instanceof J.VariableDeclarations.NamedVariable variable) {
			return variable.getName().isScope(use) && variable.getInitializer() == null;
		}
		if (parent instanceof J.Assignment assignment) {
			return isVariable(assignment.getVariable()) && isVariable(assignment.getAssignment());
		}
		return parent instanceof J.MethodInvocation call && call.getSelect() != null && call.getSelect().isScope(use)
				&& this.calls.contains(call.getId());
	}

	private static boolean isInjected(J.VariableDeclarations variables, Cursor parent) {
		List<J.Annotation> annotations = variables.getLeadingAnnotations();
		if (!annotations.stream().allMatch((annotation) -> INJECTION.contains(annotation.getSimpleName()))) {
			return false;
		}
		return parent.getValue() instanceof J.MethodDeclaration method && method.isConstructor()
				|| parent.getValue() instanceof J.Block
						&& parent.getParentTreeCursor().getValue() instanceof J.ClassDeclaration
						&& variables.hasModifier(J.Modifier.Type.Private);
	}

	private boolean isVariable(Expression expression) {
		return (expression instanceof J.Identifier || expression instanceof J.FieldAccess) && is(expression);
	}

	private boolean is(Expression expression) {
		return TypeUtils.isOfClassType(expression.getType(), this.type);
	}

}
