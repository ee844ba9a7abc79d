package io.github.lockboot.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Preconditions;
import org.openrewrite.Recipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.search.UsesType;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.TypeUtils;
import org.openrewrite.marker.SearchResult;

/**
 * Replaces {@code @Lock4j} with {@code @DistributedLock}.
 *
 * @since 1.0.0
 */
public final class ReplaceLock4j extends Recipe {

	private static final String LOCK4J = "com.baomidou.lock.annotation.Lock4j";

	@Override
	public String getDisplayName() {
		return "Replace `@Lock4j` by `@DistributedLock`";
	}

	@Override
	public String getDescription() {
		return "The name stays, several keys become a template, and `acquireTimeout` becomes `waitTime`. "
				+ "`expire` becomes `maxHoldTime`, and without `autoRelease` `minHoldTime`, too. "
				+ "An annotation that has no equivalent stays, with a comment that says why.";
	}

	@Override
	public TreeVisitor<?, ExecutionContext> getVisitor() {
		return Preconditions.check(new UsesType<>(LOCK4J, false), new JavaIsoVisitor<ExecutionContext>() {
			@Override
			public J.Annotation visitAnnotation(J.Annotation annotation, ExecutionContext context) {
				J.Annotation visited = super.visitAnnotation(annotation, context);
				if (!TypeUtils.isOfClassType(visited.getType(), LOCK4J)) {
					return visited;
				}
				Map<String, Expression> attributes = AnnotationRewrite.attributesOf(visited);
				String reason = isLocked(getCursor().getParentTreeCursor().getValue())
						? "the method has a @DistributedLock already: remove @Lock4j when no old instance is left"
						: reasonToKeep(attributes);
				if (reason != null) {
					return SearchResult.found(visited, reason);
				}
				AnnotationRewrite lock = translate(attributes);
				maybeAddImport(Api.DISTRIBUTED_LOCK);
				maybeRemoveImport(LOCK4J);
				return lock.replace(updateCursor(visited), Api.DISTRIBUTED_LOCK);
			}
		});
	}

	private static boolean isLocked(Object method) {
		return method instanceof J.MethodDeclaration declaration && declaration.getLeadingAnnotations()
			.stream()
			.anyMatch((annotation) -> TypeUtils.isOfClassType(annotation.getType(), Api.DISTRIBUTED_LOCK));
	}

	private static @Nullable String reasonToKeep(Map<String, Expression> attributes) {
		for (String attribute : List.of("failStrategy", "keyBuilderStrategy", "executor")) {
			if (attributes.containsKey(attribute)) {
				return attribute
						+ " has no equivalent, see https://github.com/lockboot/lock-spring-boot/blob/main/docs/migration.md#lock4j";
			}
		}
		for (String time : List.of("acquireTimeout", "expire")) {
			Expression value = attributes.get(time);
			if (value != null && millis(value) == null) {
				return time + " is not a number but an expression";
			}
		}
		if (!autoRelease(attributes)) {
			Expression expire = attributes.get("expire");
			Long millis = (expire != null) ? millis(expire) : null;
			if (millis == null || millis <= 0) {
				return "autoRelease = false without a number as expire: set minHoldTime by hand";
			}
		}
		List<Expression> keys = keys(attributes);
		if (keys.size() > 1 && keys.stream().anyMatch((key) -> text(key) == null)) {
			return "several keys, and one of them is not a literal";
		}
		return null;
	}

	private static AnnotationRewrite translate(Map<String, Expression> attributes) {
		AnnotationRewrite lock = new AnnotationRewrite();
		Expression name = attributes.get("name");
		if (name != null && !"".equals(text(name))) {
			lock.with("name", name);
		}
		List<Expression> keys = keys(attributes);
		if (keys.size() == 1) {
			lock.with("key", keys.get(0));
		}
		else if (!keys.isEmpty()) {
			lock.with("key", String.join("/", keys.stream().map((key) -> "#{" + text(key) + "}").toList()));
		}
		addTime(lock, "waitTime", attributes.get("acquireTimeout"));
		if (!autoRelease(attributes)) {
			addTime(lock, "minHoldTime", attributes.get("expire"));
		}
		Expression expire = attributes.get("expire");
		if (expire != null && !Long.valueOf(0).equals(millis(expire))) {
			addTime(lock, "maxHoldTime", expire);
		}
		return lock;
	}

	private static void addTime(AnnotationRewrite lock, String attribute, @Nullable Expression value) {
		Long millis = (value != null) ? millis(value) : null;
		// a negative number means the default, or without an end
		if (millis != null && millis >= 0) {
			boolean seconds = millis % 1000 == 0 && millis > 0;
			lock.with(attribute, (millis == 0) ? "0" : seconds ? millis / 1000 + "s" : millis + "ms");
		}
	}

	private static boolean autoRelease(Map<String, Expression> attributes) {
		Expression value = attributes.get("autoRelease");
		return value == null || value instanceof J.Literal literal && Boolean.TRUE.equals(literal.getValue());
	}

	private static List<Expression> keys(Map<String, Expression> attributes) {
		Expression value = attributes.get("keys");
		List<Expression> keys = new ArrayList<>();
		if (value instanceof J.NewArray array) {
			Stream.ofNullable(array.getInitializer()).forEach(keys::addAll);
		}
		else if (value != null) {
			keys.add(value);
		}
		keys.removeIf((key) -> key instanceof J.Empty || "".equals(text(key)));
		return keys;
	}

	private static @Nullable String text(Expression expression) {
		return (expression instanceof J.Literal literal && literal.getValue() instanceof String text) ? text : null;
	}

	private static @Nullable Long millis(Expression expression) {
		if (expression instanceof J.Unary unary && unary.getOperator() == J.Unary.Type.Negative) {
			Long value = millis(unary.getExpression());
			return (value != null) ? -value : null;
		}
		return (expression instanceof J.Literal literal && literal.getValue() instanceof Number number)
				? number.longValue() : null;
	}

}
