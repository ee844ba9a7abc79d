package io.github.lockboot.cache;

import java.util.List;

/**
 * Thrown when annotated methods cannot be cached as declared: with all problems when the
 * application starts, or by the call of such a method if the check at startup is
 * disabled.
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
