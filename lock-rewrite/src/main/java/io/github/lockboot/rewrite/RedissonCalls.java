package io.github.lockboot.rewrite;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.Tree;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JLeftPadded;
import org.openrewrite.java.tree.JRightPadded;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.TypeTree;
import org.openrewrite.java.tree.TypeUtils;
import org.openrewrite.marker.Markers;
import org.openrewrite.marker.SearchResult;

/**
 * The calls by which a program gets locks from Redisson, and those that replace them.
 */
final class RedissonCalls {

	static final String CLIENT = "org.redisson.api.RedissonClient";

	static final Set<String> CLIENTS = Set.of(CLIENT, "org.redisson.Redisson");

	static final String LOCK = "org.redisson.api.RLock";

	static final String READ_WRITE_LOCK = "org.redisson.api.RReadWriteLock";

	static final Set<String> SEVERAL = Set.of("org.redisson.RedissonMultiLock", "org.redisson.RedissonRedLock");

	private static final Set<String> OF_NAME = Set.of("getLock", "getSpinLock", "getFairLock", "getReadWriteLock");

	private static final Set<String> OF_LOCKS = Set.of("getMultiLock", "getRedLock");

	private static final Set<String> WITHOUT_RECIPE = Set.of("getSemaphore", "getPermitExpirableSemaphore",
			"getCountDownLatch");

	private RedissonCalls() {
	}

	static boolean isLock(@Nullable JavaType type) {
		return TypeUtils.isOfClassType(type, LOCK);
	}

	static boolean isReadWriteLock(@Nullable JavaType type) {
		return TypeUtils.isOfClassType(type, READ_WRITE_LOCK);
	}

	/** Return whether a call of a client returns a lock. */
	static boolean getsLock(J.MethodInvocation call) {
		JavaType type = call.getType();
		return TypeUtils.isAssignableTo("java.util.concurrent.locks.Lock", type)
				|| TypeUtils.isAssignableTo("java.util.concurrent.locks.ReadWriteLock", type);
	}

	/** Return whether a call of a client gets another object that callers wait for. */
	static boolean isWithoutRecipe(J.MethodInvocation call) {
		return WITHOUT_RECIPE.contains(call.getSimpleName()) && call.getSelect() != null
				&& CLIENTS.stream().anyMatch((client) -> TypeUtils.isOfClassType(call.getSelect().getType(), client));
	}

	/** Return whether there is a replacement for a call that returns a lock. */
	static boolean isKnown(J.MethodInvocation call) {
		return OF_NAME.contains(call.getSimpleName()) && call.getArguments().size() == 1
				&& TypeUtils.isString(call.getArguments().get(0).getType())
				|| OF_LOCKS.contains(call.getSimpleName()) && areLocks(call.getArguments());
	}

	static boolean areLocks(List<Expression> arguments) {
		return arguments.stream().allMatch((argument) -> isLock(argument.getType())) || arguments.size() == 1
				&& arguments.get(0).getType() instanceof JavaType.Array array && isLock(array.getElemType());
	}

	/**
	 * Return the call of the client in an expression that gets one lock by its name, or
	 * {@code null} if the expression is something else.
	 */
	static J.@Nullable MethodInvocation ofName(@Nullable Expression lock) {
		if (!(lock instanceof J.MethodInvocation call)) {
			return null;
		}
		boolean part = isReadWriteLock((call.getSelect() != null) ? call.getSelect().getType() : null);
		J.MethodInvocation get = (part && call.getSelect() instanceof J.MethodInvocation readWrite) ? readWrite : call;
		return (OF_NAME.contains(get.getSimpleName()) && part == get.getSimpleName().equals("getReadWriteLock")
				&& isKnown(get)) ? get : null;
	}

	/** Return the request for a lock {@link #ofName}, or its name if that is enough. */
	static Expression request(J.MethodInvocation lock, J.MethodInvocation get) {
		Expression name = get.getArguments().get(0);
		return switch (lock.getSimpleName()) {
			case "readLock" -> Code.call(Code.request(name), "shared");
			case "getFairLock" -> fair(name);
			default -> name;
		};
	}

	private static Expression fair(Expression name) {
		J.Literal yes = new J.Literal(Tree.randomId(), Space.EMPTY, Markers.EMPTY, true, "true", null,
				JavaType.Primitive.Boolean);
		return Code.call(Code.request(name), "fair", yes);
	}

	/** Return what replaces a call of a client whose arguments are replaced already. */
	static Expression replace(J.MethodInvocation call, Expression locks, boolean asReadWriteLock, Cursor cursor) {
		Expression name = call.getArguments().get(0);
		return switch (call.getSimpleName()) {
			case "getReadWriteLock" -> asReadWriteLock ? Code.call(locks, "asReadWriteLock", name) : Code.request(name);
			case "getFairLock" -> Code.call(locks, "asLock", fair(name));
			case "getMultiLock", "getRedLock" -> asOne(call.getArguments(), locks, cursor);
			default -> Code.call(locks, "asLock", name);
		};
	}

	/** Return several locks as one. */
	static Expression asOne(List<Expression> several, Expression locks, Cursor cursor) {
		J.Identifier request = Code.name("LockRequest", Api.LOCK_REQUEST);
		if (several.get(0).getType() instanceof JavaType.Array) {
			Expression stream = Code.call(Code.name("Arrays", "java.util.Arrays"), "stream", several.get(0));
			Expression type = TypeTree.build("LockOperations.LeasedLock");
			J.MemberReference name = new J.MemberReference(Tree.randomId(), Space.EMPTY, Markers.EMPTY,
					JRightPadded.build(type), null, JLeftPadded.build(Code.name("name")), null, null, null);
			return Code.call(locks, "asLock",
					Code.call(request, "allOf", Code.call(Code.call(stream, "map", name), "toList")));
		}
		Expression[] names = several.stream().map(RedissonCalls::name).toArray(Expression[]::new);
		J.MethodInvocation all = Code.call(locks, "asLock", Code.call(request, "allOf", names));
		return several.stream().allMatch((lock) -> isOfName(lock) || isVariableOfName(lock, cursor)) ? all
				: SearchResult.found(all,
						"each of these has to be one lock, and exclusive: LockRequest.allOf takes names");
	}

	/**
	 * Return whether an expression is a local variable whose only value is an exclusive
	 * lock of one name.
	 */
	private static boolean isVariableOfName(Expression lock, Cursor cursor) {
		J.MethodDeclaration method = cursor.firstEnclosing(J.MethodDeclaration.class);
		if (method == null || !(lock instanceof J.Identifier variable) || !SectionBody.isLocal(variable)) {
			return false;
		}
		List<Expression> values = SectionBody.valuesOf(variable.getSimpleName(), method);
		return values.size() == 1 && values.get(0) instanceof J.MethodInvocation get && isLock(get.getType())
				&& OF_NAME.contains(get.getSimpleName()) && !get.getSimpleName().equals("getFairLock") && isKnown(get);
	}

	private static boolean isOfName(Expression lock) {
		return lock instanceof J.MethodInvocation call && call.getSimpleName().equals("asLock")
				&& TypeUtils.isString(call.getArguments().get(0).getType());
	}

	private static Expression name(Expression lock) {
		return isOfName(lock) ? ((J.MethodInvocation) lock).getArguments().get(0) : Code.call(lock, "name");
	}

}
