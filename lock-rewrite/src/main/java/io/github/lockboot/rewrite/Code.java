package io.github.lockboot.rewrite;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.openrewrite.Tree;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JContainer;
import org.openrewrite.java.tree.JLeftPadded;
import org.openrewrite.java.tree.JRightPadded;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.Space;
import org.openrewrite.marker.Markers;

/**
 * The code that the recipes write.
 */
final class Code {

	private Code() {
	}

	static J.Identifier name(String name) {
		return name(name, null);
	}

	static J.Identifier name(String name, @Nullable String type) {
		return new J.Identifier(Tree.randomId(), Space.EMPTY, Markers.EMPTY, List.of(), name,
				(type != null) ? JavaType.ShallowClass.build(type) : null, null);
	}

	static J.MethodInvocation call(Expression select, String method, Expression... arguments) {
		List<JRightPadded<Expression>> padded = new ArrayList<>();
		for (Expression argument : arguments) {
			Expression spaced = argument.withPrefix(padded.isEmpty() ? Space.EMPTY : Space.SINGLE_SPACE);
			padded.add(JRightPadded.build(spaced));
		}
		Expression target = select.withPrefix(Space.EMPTY);
		return new J.MethodInvocation(Tree.randomId(), Space.EMPTY, Markers.EMPTY, JRightPadded.build(target), null,
				name(method), JContainer.build(padded), null);
	}

	/** Return a request for a lock. */
	static J.MethodInvocation request(Expression name) {
		return call(name("LockRequest", Api.LOCK_REQUEST), "of", name);
	}

	/** Return a duration of an amount and a constant of {@code TimeUnit}. */
	static J.MethodInvocation duration(Expression amount, Expression unit) {
		J.Identifier constant = (unit instanceof J.FieldAccess access) ? access.getName()
				: (unit instanceof J.Identifier identifier) ? identifier : null;
		String method = (constant == null) ? null : switch (constant.getSimpleName()) {
			case "NANOSECONDS" -> "ofNanos";
			case "MILLISECONDS" -> "ofMillis";
			case "SECONDS" -> "ofSeconds";
			case "MINUTES" -> "ofMinutes";
			case "HOURS" -> "ofHours";
			case "DAYS" -> "ofDays";
			default -> null;
		};
		J.Identifier duration = name("Duration", "java.time.Duration");
		return (method != null) ? call(duration, method, amount)
				: call(duration, "of", amount, call(unit, "toChronoUnit"));
	}

	static Expression zero() {
		return new J.FieldAccess(Tree.randomId(), Space.EMPTY, Markers.EMPTY, name("Duration", "java.time.Duration"),
				JLeftPadded.build(name("ZERO")), null);
	}

	/** Return a time that no caller waits for, in place of none. */
	static Expression unlimited() {
		J.Literal year = new J.Literal(Tree.randomId(), Space.EMPTY, Markers.EMPTY, 365, "365", null,
				JavaType.Primitive.Int);
		return call(name("Duration", "java.time.Duration"), "ofDays", year);
	}

	/** Return a lambda without parameters. */
	static J.Lambda lambda(J.Block body) {
		J.Block spaced = body.withPrefix(Space.SINGLE_SPACE);
		return new J.Lambda(Tree.randomId(), Space.EMPTY, Markers.EMPTY,
				new J.Lambda.Parameters(Tree.randomId(), Space.EMPTY, Markers.EMPTY, true, List.of()),
				Space.SINGLE_SPACE, spaced, null);
	}

}
