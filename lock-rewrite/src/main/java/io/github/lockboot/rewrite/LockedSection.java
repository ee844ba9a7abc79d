package io.github.lockboot.rewrite;

import org.jspecify.annotations.Nullable;
import org.openrewrite.internal.ListUtils;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.Statement;

/**
 * A section under a lock of Redisson.
 *
 * @param declaration the statement that gets the lock
 * @param getLock the call of {@code getLock}
 * @param lock the statement that acquires the lock
 * @param section the section itself
 * @param locks the field of type {@code LockOperations}, if there is one
 * @param returnsValue whether the section ends by returning a value
 */
record LockedSection(J.VariableDeclarations declaration, J.MethodInvocation getLock, Statement lock, J.Try section,
		@Nullable Expression locks, boolean returnsValue) {

	Expression redisson() {
		Expression redisson = this.getLock.getSelect();
		if (redisson == null) {
			throw new IllegalStateException("getLock is called on a field");
		}
		return redisson;
	}

	Expression name() {
		return this.getLock.getArguments().get(0);
	}

	/**
	 * Return the space before the first of the three statements, with the comments of all
	 * three.
	 */
	Space prefix() {
		Space prefix = this.declaration.getPrefix();
		return prefix.withComments(
				ListUtils.concatAll(ListUtils.concatAll(prefix.getComments(), this.lock.getPrefix().getComments()),
						this.section.getPrefix().getComments()));
	}

}
