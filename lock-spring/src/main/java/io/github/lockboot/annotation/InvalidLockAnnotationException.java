package io.github.lockboot.annotation;

import java.util.List;

import io.github.lockboot.Internal;
import io.github.lockboot.LockException;

/**
 * Thrown when annotated methods cannot be locked: with all findings when the application
 * starts, or by a call of such a method if the check at startup is disabled.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class InvalidLockAnnotationException extends LockException {

	private final List<String> findings;

	/**
	 * Create an exception.
	 * @param findings one sentence for each method, with class, method and solution
	 */
	public InvalidLockAnnotationException(List<String> findings) {
		super(null, "Methods can't be locked as annotated:\n  " + String.join("\n  ", findings), null);
		this.findings = List.copyOf(findings);
	}

	/**
	 * Create an exception for one method.
	 * @param finding a sentence with class, method and solution
	 * @param cause the finding as an exception
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
