package io.github.lockboot.cache;

import java.util.List;

/**
 * Annotated methods can't be cached as declared. Thrown with all problems when the
 * application starts, and by the call of such a method if the check at the start is
 * switched off.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class InvalidCacheAnnotationException extends CacheException {

	private final List<String> findings;

	/**
	 * Create an exception.
	 * @param findings one sentence for each problem, with method and solution
	 */
	public InvalidCacheAnnotationException(List<String> findings) {
		super("", "The cache can't work as it is used:\n  " + String.join("\n  ", findings), null);
		this.findings = List.copyOf(findings);
	}

	/** Return all problems. */
	public List<String> findings() {
		return this.findings;
	}

}
