package io.github.lockboot.annotation;

import java.util.List;

import io.github.lockboot.Internal;
import io.github.lockboot.LockException;

/**
 * Annotated methods that can't be locked. Thrown with all findings when the application
 * starts; or by a call of such a method, if the check at the start is off.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class InvalidLockAnnotationException extends LockException {

	private final List<String> findings;

	/**
	 * Create an exception.
	 * @param findings one sentence each, with class, method and solution
	 */
	public InvalidLockAnnotationException(List<String> findings) {
		super(null, "Methods can't be locked as annotated:\n  " + String.join("\n  ", findings), null);
		this.findings = List.copyOf(findings);
	}

	/**
	 * Create an exception for one method.
	 * @param finding a sentence with class, method and solution
	 * @param cause what was found
	 */
	@Internal
	public InvalidLockAnnotationException(String finding, IllegalArgumentException cause) {
		super(null, finding, cause);
		this.findings = List.of(finding);
	}

	/**
	 * Return the findings.
	 * @return one sentence for each
	 */
	public List<String> findings() {
		return this.findings;
	}

}
