package io.github.lockboot.rewrite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Tree;
import org.openrewrite.internal.ListUtils;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JLeftPadded;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.Statement;
import org.openrewrite.java.tree.TypeUtils;
import org.openrewrite.marker.Markers;

/**
 * How the classes of a file get {@code LockOperations}: from a field that is there, or
 * injected in the way in which the client of another library is injected. The new
 * variable takes the place of the client, or stands beside the client if something else
 * uses it.
 */
final class Injection {

	private static final Set<String> INJECTED = Set.of("Autowired", "Inject", "Resource");

	private static final Set<String> WITH_CONSTRUCTOR = Set.of("RequiredArgsConstructor", "AllArgsConstructor", "Data",
			"Value");

	private final J.CompilationUnit unit;

	private final Set<String> clients;

	private final String name;

	/** The fields of the clients by class and name. */
	private final Map<String, J.VariableDeclarations> fields = new HashMap<>();

	/** The fields that are injected, or that Lombok's constructors assign. */
	private final Set<String> injected = new HashSet<>();

	/** The fields that a constructor does not assign. */
	private final Set<String> unassigned = new HashSet<>();

	/** The assignments to each field. */
	private final Map<String, Set<UUID>> assignments = new HashMap<>();

	/** The parameters that are injected, by method and name. */
	private final Map<String, UUID> parameters = new HashMap<>();

	/** The parameter that an assignment assigns. */
	private final Map<UUID, UUID> sources = new HashMap<>();

	/**
	 * The declarations and assignments that are needed for the {@code LockOperations}.
	 */
	private final Set<UUID> changed = new HashSet<>();

	Injection(J.CompilationUnit unit, Set<String> clients) {
		this.unit = unit;
		this.clients = clients;
		Set<String> names = new HashSet<>();
		new JavaIsoVisitor<Set<String>>() {
			@Override
			public J.Import visitImport(J.Import imported, Set<String> names) {
				return imported;
			}

			@Override
			public J.Identifier visitIdentifier(J.Identifier identifier, Set<String> names) {
				names.add(identifier.getSimpleName());
				return identifier;
			}
		}.visit(unit, names);
		this.name = List.of("locks", "lockOperations", "distributedLocks")
			.stream()
			.filter((free) -> !names.contains(free))
			.findFirst()
			.orElse("operationsOfLocks");
		new Points().visit(unit, 0);
	}

	/**
	 * Return the {@code LockOperations} to use instead of a client, or {@code null} if
	 * the client is not injected.
	 */
	@Nullable Expression locks(@Nullable Expression client, Cursor cursor) {
		J.Identifier name = variable(client);
		if (client == null || name == null) {
			return null;
		}
		return (owner(name) != null) ? ofField(client, name, cursor) : ofParameter(name, cursor);
	}

	/** Return the {@code LockOperations} of the enclosing class, if it has any. */
	@Nullable Expression locks(Cursor cursor) {
		for (Map.Entry<String, J.VariableDeclarations> field : this.fields.entrySet()) {
			if (field.getKey().startsWith(className(cursor) + '#')) {
				return locks(field.getValue().getVariables().get(0).getName(), cursor);
			}
		}
		return null;
	}

	boolean isClient(@Nullable Expression expression) {
		return expression != null && isClient(expression.getType());
	}

	private boolean isClient(@Nullable JavaType type) {
		return this.clients.stream().anyMatch((client) -> TypeUtils.isOfClassType(type, client));
	}

	private @Nullable Expression ofField(Expression client, J.Identifier name, Cursor cursor) {
		String key = owner(name) + '#' + name.getSimpleName();
		J.VariableDeclarations field = this.fields.get(key);
		if (field == null) {
			return null;
		}
		J.Identifier there = fieldOfLocks(cursor);
		if (there != null) {
			return named(client, there.getSimpleName());
		}
		Set<UUID> assignments = this.assignments.getOrDefault(key, Set.of());
		boolean constructed = !assignments.isEmpty() && !this.unassigned.contains(key);
		if (!this.injected.contains(key) && !constructed || !this.sources.keySet().containsAll(assignments)) {
			return null;
		}
		this.changed.add(field.getId());
		this.changed.addAll(assignments);
		this.sources.forEach((assignment, parameter) -> {
			if (assignments.contains(assignment)) {
				this.changed.add(parameter);
			}
		});
		return named(client, this.name);
	}

	private @Nullable Expression ofParameter(J.Identifier name, Cursor cursor) {
		J.MethodDeclaration method = cursor.firstEnclosing(J.MethodDeclaration.class);
		UUID parameter = (method != null) ? this.parameters.get(key(method, name)) : null;
		if (parameter == null) {
			return null;
		}
		this.changed.add(parameter);
		return Code.name(this.name);
	}

	private static String key(J.MethodDeclaration method, J.Identifier parameter) {
		return method.getId() + "#" + parameter.getSimpleName();
	}

	private static Expression named(Expression client, String name) {
		J.Identifier identifier = Code.name(name);
		return (client instanceof J.FieldAccess access) ? access.withName(identifier).withType(null) : identifier;
	}

	/** Return the field of type {@code LockOperations} that a class has. */
	private static J.@Nullable Identifier fieldOfLocks(Cursor cursor) {
		J.ClassDeclaration type = cursor.firstEnclosingOrThrow(J.ClassDeclaration.class);
		J.MethodDeclaration method = cursor.firstEnclosing(J.MethodDeclaration.class);
		boolean fromStatic = method != null && method.hasModifier(J.Modifier.Type.Static);
		for (Statement member : type.getBody().getStatements()) {
			if (member instanceof J.VariableDeclarations field
					&& TypeUtils.isOfClassType(field.getType(), Api.LOCK_OPERATIONS)
					&& (field.hasModifier(J.Modifier.Type.Static) || !fromStatic)) {
				return field.getVariables().get(0).getName();
			}
		}
		return null;
	}

	private static String className(Cursor cursor) {
		JavaType.FullyQualified type = cursor.firstEnclosingOrThrow(J.ClassDeclaration.class).getType();
		return (type != null) ? type.getFullyQualifiedName() : "";
	}

	/** Return the name of a variable, written as {@code name} or {@code this.name}. */
	private static J.@Nullable Identifier variable(@Nullable Expression expression) {
		J.Identifier name = (expression instanceof J.FieldAccess access
				&& access.getTarget() instanceof J.Identifier target && target.getSimpleName().equals("this"))
						? access.getName() : (expression instanceof J.Identifier identifier) ? identifier : null;
		return (name != null && name.getFieldType() != null) ? name : null;
	}

	/** Return the class of a field, or {@code null} if the variable is local. */
	private static @Nullable String owner(J.Identifier name) {
		JavaType.Variable type = name.getFieldType();
		return (type != null && type.getOwner() instanceof JavaType.FullyQualified owner)
				? owner.getFullyQualifiedName() : null;
	}

	private static boolean isAnnotated(List<J.Annotation> annotations, Set<String> names) {
		return annotations.stream().anyMatch((annotation) -> names.contains(annotation.getSimpleName()));
	}

	// ---- the change

	/**
	 * Declare the {@code LockOperations} that were asked for.
	 * @param calls the calls of clients that have been replaced
	 */
	J.CompilationUnit apply(J.CompilationUnit changed, Set<UUID> calls, ExecutionContext context) {
		List<J> others = new ArrayList<>();
		new OtherUses(calls).visit(this.unit, others);
		return this.changed.isEmpty() ? changed
				: (J.CompilationUnit) new Declarations(others.isEmpty()).visitNonNull(changed, context);
	}

	private final class Declarations extends JavaIsoVisitor<ExecutionContext> {

		private final boolean replace;

		Declarations(boolean replace) {
			this.replace = replace;
		}

		@Override
		public J.CompilationUnit visitCompilationUnit(J.CompilationUnit unit, ExecutionContext context) {
			maybeAddImport(Api.LOCK_OPERATIONS, false);
			Injection.this.clients.forEach(this::maybeRemoveImport);
			return super.visitCompilationUnit(unit, context);
		}

		@Override
		public J.Block visitBlock(J.Block block, ExecutionContext context) {
			J.Block visited = super.visitBlock(block, context);
			return visited.withStatements(declared(visited.getStatements()));
		}

		@Override
		public J.MethodDeclaration visitMethodDeclaration(J.MethodDeclaration method, ExecutionContext context) {
			J.MethodDeclaration visited = super.visitMethodDeclaration(method, context);
			return visited.withParameters(declared(visited.getParameters()));
		}

		private List<Statement> declared(List<Statement> statements) {
			return ListUtils.flatMap(statements, (index, statement) -> {
				if (!Injection.this.changed.contains(statement.getId())) {
					return statement;
				}
				Statement locks = (statement instanceof J.VariableDeclarations variable) ? declaration(variable)
						: assignment((J.Assignment) statement);
				Space prefix = statement.getPrefix();
				if (!this.replace) {
					prefix = prefix.isEmpty() ? Space.SINGLE_SPACE : prefix.withComments(List.of());
				}
				Statement spaced = locks.withPrefix(prefix);
				return this.replace ? spaced : List.of(statement, spaced);
			});
		}

		private J.VariableDeclarations declaration(J.VariableDeclarations client) {
			List<J.Annotation> annotations = ListUtils
				.map(client.getLeadingAnnotations(), (annotation) -> annotation.getSimpleName().equals("Qualifier")
						? null
						: annotation.getSimpleName().equals("Resource") ? annotation.withArguments(null) : annotation);
			Space beforeType = (annotations.isEmpty() && client.getModifiers().isEmpty()) ? Space.EMPTY
					: (client.getTypeExpression() != null) ? client.getTypeExpression().getPrefix() : Space.EMPTY;
			J.Identifier type = Code.name("LockOperations", Api.LOCK_OPERATIONS).withPrefix(beforeType);
			J.VariableDeclarations.NamedVariable variable = client.getVariables().get(0);
			J.Identifier name = Code.name(Injection.this.name).withPrefix(variable.getName().getPrefix());
			return client.withId(Tree.randomId())
				.withLeadingAnnotations(annotations)
				.withTypeExpression(type)
				.withVariables(List.of(variable.withId(Tree.randomId()).withDeclarator(name).withVariableType(null)));
		}

		private J.Assignment assignment(J.Assignment client) {
			J.Identifier name = Code.name(Injection.this.name);
			J.FieldAccess field = new J.FieldAccess(Tree.randomId(), Space.EMPTY, Markers.EMPTY, Code.name("this"),
					JLeftPadded.build(name), null);
			return client.withId(Tree.randomId())
				.withVariable(field)
				.withAssignment(Code.name(Injection.this.name).withPrefix(client.getAssignment().getPrefix()))
				.withType(null);
		}

	}

	/** Finds where clients are injected. */
	private final class Points extends JavaIsoVisitor<Integer> {

		@Override
		public J.ClassDeclaration visitClassDeclaration(J.ClassDeclaration type, Integer p) {
			String owner = (type.getType() != null) ? type.getType().getFullyQualifiedName() : "";
			for (Statement member : type.getBody().getStatements()) {
				if (member instanceof J.VariableDeclarations field && isClient(field.getType())
						&& field.getVariables().size() == 1) {
					addField(type, field, owner + '#' + field.getVariables().get(0).getSimpleName());
				}
			}
			J.ClassDeclaration visited = super.visitClassDeclaration(type, p);
			for (Statement member : type.getBody().getStatements()) {
				if (member instanceof J.MethodDeclaration method && method.isConstructor() && !isDelegating(method)) {
					Injection.this.fields.keySet()
						.stream()
						.filter((key) -> key.startsWith(owner + '#') && !assigns(method, key))
						.forEach(Injection.this.unassigned::add);
				}
			}
			return visited;
		}

		private void addField(J.ClassDeclaration type, J.VariableDeclarations field, String key) {
			Injection.this.fields.put(key, field);
			boolean empty = field.getVariables().get(0).getInitializer() == null
					&& !field.hasModifier(J.Modifier.Type.Static);
			List<J.Annotation> ofClass = type.getLeadingAnnotations();
			if (empty && (isAnnotated(field.getLeadingAnnotations(), INJECTED)
					|| isAnnotated(ofClass, WITH_CONSTRUCTOR) && (field.hasModifier(J.Modifier.Type.Final)
							|| isAnnotated(ofClass, Set.of("AllArgsConstructor"))))) {
				Injection.this.injected.add(key);
			}
		}

		private boolean isDelegating(J.MethodDeclaration constructor) {
			return constructor.getBody() != null && !constructor.getBody().getStatements().isEmpty()
					&& constructor.getBody().getStatements().get(0) instanceof J.MethodInvocation call
					&& call.getSimpleName().equals("this");
		}

		private boolean assigns(J.MethodDeclaration constructor, String key) {
			Set<UUID> assignments = Injection.this.assignments.getOrDefault(key, Set.of());
			return constructor.getBody() != null && constructor.getBody()
				.getStatements()
				.stream()
				.anyMatch((statement) -> assignments.contains(statement.getId()));
		}

		@Override
		public J.MethodDeclaration visitMethodDeclaration(J.MethodDeclaration method, Integer p) {
			if (isInjected(method)) {
				for (Statement parameter : method.getParameters()) {
					if (parameter instanceof J.VariableDeclarations declared && isClient(declared.getType())) {
						Injection.this.parameters.put(key(method, declared.getVariables().get(0).getName()),
								declared.getId());
					}
				}
			}
			return super.visitMethodDeclaration(method, p);
		}

		@Override
		public J.Assignment visitAssignment(J.Assignment assignment, Integer p) {
			J.Identifier field = variable(assignment.getVariable());
			if (field != null && owner(field) != null && isClient(field)) {
				Injection.this.assignments
					.computeIfAbsent(owner(field) + '#' + field.getSimpleName(), (key) -> new HashSet<>())
					.add(assignment.getId());
				J.MethodDeclaration method = getCursor().firstEnclosing(J.MethodDeclaration.class);
				UUID source = (method != null && assignment.getAssignment() instanceof J.Identifier parameter)
						? Injection.this.parameters.get(key(method, parameter)) : null;
				if (source != null) {
					Injection.this.sources.put(assignment.getId(), source);
				}
			}
			return super.visitAssignment(assignment, p);
		}

	}

	private static boolean isInjected(J.MethodDeclaration method) {
		return method.isConstructor() || isAnnotated(method.getLeadingAnnotations(), INJECTED)
				|| isAnnotated(method.getLeadingAnnotations(), Set.of("Bean"));
	}

	/** Finds uses of clients other than the calls that are replaced. */
	private final class OtherUses extends JavaIsoVisitor<List<J>> {

		private final Set<UUID> calls;

		OtherUses(Set<UUID> calls) {
			this.calls = calls;
		}

		@Override
		public J.Import visitImport(J.Import imported, List<J> others) {
			return imported;
		}

		@Override
		public J.Identifier visitIdentifier(J.Identifier identifier, List<J> others) {
			if (isClient(identifier)) {
				Cursor use = whole(getCursor());
				Cursor parent = use.getParentTreeCursor();
				if (!isKnown(use.getValue(), parent.getValue(), parent)) {
					others.add(identifier);
				}
			}
			return identifier;
		}

		private boolean isKnown(J use, J parent, Cursor cursor) {
			if (parent instanceof J.VariableDeclarations variable) {
				return Injection.this.changed.contains(variable.getId())
						&& (cursor.getParentTreeCursor().getValue() instanceof J.MethodDeclaration
								|| variable.hasModifier(J.Modifier.Type.Private));
			}
			if (parent instanceof J.VariableDeclarations.NamedVariable variable) {
				return variable.getName().isScope(use) && variable.getInitializer() == null;
			}
			if (parent instanceof J.Assignment assignment) {
				return Injection.this.changed.contains(assignment.getId());
			}
			return parent instanceof J.MethodInvocation call && call.getSelect() != null
					&& call.getSelect().isScope(use) && this.calls.contains(call.getId());
		}

	}

	/**
	 * Return the longest name or type that ends with an identifier, as {@code this.name}
	 * or {@code Type<T>}.
	 */
	private static Cursor whole(Cursor identifier) {
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

}
