package io.github.lockboot.rewrite;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.NameTree;
import org.openrewrite.java.tree.Statement;
import org.openrewrite.java.tree.TypeTree;
import org.openrewrite.java.tree.TypeUtils;

/**
 * Determines whether the statements of a section may become the body of a lambda.
 */
final class SectionBody extends JavaIsoVisitor<Integer> {

	private final J.Block body;

	private final Cursor parent;

	private final List<J.Return> returns = new ArrayList<>();

	private boolean jumps;

	private final Set<String> declared = new HashSet<>();

	private final Set<String> captured = new HashSet<>();

	SectionBody(J.Block body, Cursor parent) {
		this.body = body;
		this.parent = parent;
		visit(body, 0);
	}

	/**
	 * Return whether the section ends by returning a value. This is known if the section
	 * {@link #canBeLambda()}.
	 */
	boolean returnsValue() {
		return !this.returns.isEmpty();
	}

	/**
	 * Return whether the compiler accepts the statements as a lambda that ends in the
	 * same way.
	 */
	boolean canBeLambda() {
		J around = this.parent
			.dropParentUntil((value) -> value instanceof J.MethodDeclaration || value instanceof J.Lambda
					|| value instanceof J.ClassDeclaration)
			.getValue();
		if (!(around instanceof J.MethodDeclaration method) || method.isConstructor() || this.jumps
				|| this.returns.stream().anyMatch((statement) -> statement.getExpression() == null)
				|| this.returns.isEmpty() != completes(this.body)) {
			return false;
		}
		JavaType type = (method.getMethodType() != null) ? method.getMethodType().getReturnType() : null;
		if (type instanceof JavaType.Primitive
				&& this.returns.stream().anyMatch((statement) -> !type.equals(typeOf(statement.getExpression())))) {
			return false;
		}
		this.captured.removeAll(this.declared);
		this.captured.retainAll(assigned(method));
		return this.captured.isEmpty() && !handlesSeveral(method);
	}

	/** Return whether a statement around a section catches exactly an exception. */
	static boolean isCaught(String exception, Cursor cursor) {
		return caught(cursor).stream().anyMatch((type) -> TypeUtils.isOfClassType(type.getType(), exception));
	}

	private static List<NameTree> caught(Cursor cursor) {
		List<NameTree> types = new ArrayList<>();
		cursor.getPathAsStream(J.Try.class::isInstance)
			.flatMap((section) -> ((J.Try) section).getCatches().stream())
			.forEach((handler) -> {
				TypeTree caught = handler.getParameter().getTree().getTypeExpression();
				if (caught instanceof J.MultiCatch several) {
					types.addAll(several.getAlternatives());
				}
				else if (caught != null) {
					types.add(caught);
				}
			});
		return types;
	}

	private static @Nullable JavaType typeOf(@Nullable Expression expression) {
		return (expression != null) ? expression.getType() : null;
	}

	/**
	 * Return how often the name of a local variable occurs.
	 */
	static int countUses(String variable, @Nullable J tree) {
		AtomicInteger count = new AtomicInteger();
		new JavaIsoVisitor<AtomicInteger>() {
			@Override
			public J.Identifier visitIdentifier(J.Identifier identifier, AtomicInteger count) {
				if (identifier.getSimpleName().equals(variable) && identifier.getFieldType() != null) {
					count.incrementAndGet();
				}
				return identifier;
			}
		}.visit(tree, count);
		return count.get();
	}

	/**
	 * Return what the local variables of a name are initialized with and assigned, in a
	 * method.
	 */
	static List<Expression> valuesOf(String variable, J.MethodDeclaration method) {
		List<Expression> values = new ArrayList<>();
		new JavaIsoVisitor<List<Expression>>() {
			@Override
			public J.VariableDeclarations.NamedVariable visitVariable(J.VariableDeclarations.NamedVariable declared,
					List<Expression> values) {
				if (declared.getSimpleName().equals(variable) && declared.getInitializer() != null) {
					values.add(declared.getInitializer());
				}
				return super.visitVariable(declared, values);
			}

			@Override
			public J.Assignment visitAssignment(J.Assignment assignment, List<Expression> values) {
				if (assignment.getVariable().unwrap() instanceof J.Identifier name
						&& name.getSimpleName().equals(variable)) {
					values.add(assignment.getAssignment());
				}
				return super.visitAssignment(assignment, values);
			}
		}.visit(method, values);
		return values;
	}

	@Override
	public J.Return visitReturn(J.Return statement, Integer p) {
		if (enclosing(J.Lambda.class, J.MethodDeclaration.class) == null) {
			this.returns.add(statement);
		}
		return super.visitReturn(statement, p);
	}

	@Override
	public J.Break visitBreak(J.Break statement, Integer p) {
		this.jumps |= (statement.getLabel() != null) ? leaves(statement.getLabel()) : enclosing(J.ForLoop.class,
				J.ForEachLoop.class, J.WhileLoop.class, J.DoWhileLoop.class, J.Switch.class) == null;
		return statement;
	}

	@Override
	public J.Continue visitContinue(J.Continue statement, Integer p) {
		this.jumps |= (statement.getLabel() != null) ? leaves(statement.getLabel())
				: enclosing(J.ForLoop.class, J.ForEachLoop.class, J.WhileLoop.class, J.DoWhileLoop.class) == null;
		return statement;
	}

	@Override
	public J.VariableDeclarations.NamedVariable visitVariable(J.VariableDeclarations.NamedVariable variable,
			Integer p) {
		this.declared.add(variable.getSimpleName());
		return super.visitVariable(variable, p);
	}

	@Override
	public J.Identifier visitIdentifier(J.Identifier identifier, Integer p) {
		if (isLocal(identifier)) {
			this.captured.add(identifier.getSimpleName());
		}
		return identifier;
	}

	private boolean leaves(J.Identifier label) {
		return getCursor().getPathAsStream(J.Label.class::isInstance)
			.noneMatch((value) -> ((J.Label) value).getLabel().getSimpleName().equals(label.getSimpleName()));
	}

	private @Nullable Object enclosing(Class<?>... types) {
		return getCursor()
			.getPathAsStream((value) -> List.of(types).stream().anyMatch((type) -> type.isInstance(value)))
			.findFirst()
			.orElse(null);
	}

	static boolean isLocal(Expression expression) {
		return expression instanceof J.Identifier identifier && identifier.getFieldType() != null
				&& !(identifier.getFieldType().getOwner() instanceof JavaType.FullyQualified);
	}

	static boolean completes(Statement statement) {
		if (statement instanceof J.Block block) {
			List<Statement> statements = block.getStatements();
			return statements.isEmpty() || completes(statements.get(statements.size() - 1));
		}
		if (statement instanceof J.If condition) {
			return condition.getElsePart() == null || completes(condition.getThenPart())
					|| completes(condition.getElsePart().getBody());
		}
		if (statement instanceof J.Try section) {
			return completes(section.getBody())
					|| section.getCatches().stream().anyMatch((handler) -> completes(handler.getBody()));
		}
		return !(statement instanceof J.Return || statement instanceof J.Throw);
	}

	/**
	 * Return the names of the local variables that are assigned apart from their
	 * declaration.
	 */
	private static Set<String> assigned(J.MethodDeclaration method) {
		Set<String> names = new HashSet<>();
		new JavaIsoVisitor<Set<String>>() {
			@Override
			public J.Assignment visitAssignment(J.Assignment assignment, Set<String> names) {
				add(assignment.getVariable());
				return super.visitAssignment(assignment, names);
			}

			@Override
			public J.AssignmentOperation visitAssignmentOperation(J.AssignmentOperation operation, Set<String> names) {
				add(operation.getVariable());
				return super.visitAssignmentOperation(operation, names);
			}

			@Override
			public J.Unary visitUnary(J.Unary unary, Set<String> names) {
				if (unary.getOperator().isModifying()) {
					add(unary.getExpression());
				}
				return super.visitUnary(unary, names);
			}

			private void add(Expression variable) {
				if (variable.unwrap() instanceof J.Identifier identifier && isLocal(identifier)) {
					names.add(identifier.getSimpleName());
				}
			}
		}.visit(method, names);
		return names;
	}

	/**
	 * Return whether checked exceptions of several types could leave the section. The
	 * compiler infers only one type for a lambda.
	 */
	private boolean handlesSeveral(J.MethodDeclaration method) {
		Set<String> types = new HashSet<>();
		if (method.getThrows() != null) {
			for (NameTree thrown : method.getThrows()) {
				addChecked(thrown.getType(), types);
			}
		}
		caught(this.parent).forEach((type) -> addChecked(type.getType(), types));
		return types.size() > 1 && !types.contains("java.lang.Exception") && !types.contains("java.lang.Throwable");
	}

	private static void addChecked(@Nullable JavaType type, Set<String> types) {
		if (!TypeUtils.isAssignableTo("java.lang.RuntimeException", type)
				&& !TypeUtils.isAssignableTo("java.lang.Error", type)) {
			types.add(String.valueOf(type));
		}
	}

}
