package io.github.lockboot.rewrite;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.openrewrite.Tree;
import org.openrewrite.java.tree.Comment;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.Statement;
import org.openrewrite.marker.Markers;

/**
 * A section under a lock of Redisson.
 *
 * @param before the statements that get and acquire the lock
 * @param get the call of the client
 * @param request the request for the lock, or its name
 * @param lock the call that acquires the lock
 * @param refusal what happens if the lock is not acquired, if it is only tried
 * @param locks what replaces the client
 * @param returnsValue whether the section ends by returning a value
 */
record LockedSection(List<Statement> before, J.MethodInvocation get, Expression request, J.MethodInvocation lock,
		J.@Nullable If refusal, Expression locks, boolean returnsValue) {

	/** Return the statement that replaces the section and those before it. */
	Statement replace(J.Try section) {
		J.MethodInvocation execute = Code.call(this.locks, (this.refusal != null) ? "tryExecute" : "execute",
				limited(this.request), Code.lambda(section.getBody()));
		Space prefix = prefix(section);
		if (this.refusal != null) {
			J.ControlParentheses<Expression> condition = this.refusal.getIfCondition();
			J.Unary not = (J.Unary) condition.getTree();
			return this.refusal.withId(Tree.randomId())
				.withIfCondition(condition.withTree(not.withExpression(execute)))
				.withPrefix(prefix);
		}
		return this.returnsValue
				? new J.Return(Tree.randomId(), prefix, Markers.EMPTY, execute.withPrefix(Space.SINGLE_SPACE))
				: execute.withPrefix(prefix);
	}

	/** Return the request with the times of the call. */
	private Expression limited(Expression request) {
		List<Expression> times = this.lock.getArguments();
		int count = (times.get(0) instanceof J.Empty) ? 0 : times.size() - 1;
		boolean waits = this.refusal != null;
		Expression limited = (request == this.get.getArguments().get(0)) ? Code.request(request) : request;
		if (count == 0) {
			return Code.call(limited, "waitTime", waits ? Code.zero() : Code.unlimited());
		}
		Expression unit = times.get(count);
		Expression wait = isNegative(times.get(0)) ? Code.zero() : Code.duration(times.get(0), unit);
		limited = Code.call(limited, "waitTime", waits ? wait : Code.unlimited());
		Expression hold = times.get(count - 1);
		return (count == 2 || !waits) && !isNegative(hold)
				? Code.call(limited, "maxHoldTime", Code.duration(hold, unit)) : limited;
	}

	static boolean isNegative(Expression time) {
		return time instanceof J.Unary unary && unary.getOperator() == J.Unary.Type.Negative
				// which the parser makes of a number with its sign
				|| time instanceof J.Literal literal && literal.getValue() instanceof Number number
						&& number.longValue() < 0;
	}

	/**
	 * Return the space before the first statement, with the comments of all statements.
	 */
	private Space prefix(J.Try section) {
		Space prefix = this.before.get(0).getPrefix();
		List<Comment> comments = new ArrayList<>();
		this.before.forEach((statement) -> comments.addAll(statement.getPrefix().getComments()));
		comments.addAll(section.getPrefix().getComments());
		return prefix.withComments(comments);
	}

}
