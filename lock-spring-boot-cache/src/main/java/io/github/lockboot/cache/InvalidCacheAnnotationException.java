package io.github.lockboot.cache;

import java.util.List;

/**
 * Annotated methods that can't be cached as they are written. Thrown when the application
 * starts, with all that was found; and by a call of such a method where the check at the
 * start is switched off.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class InvalidCacheAnnotationException extends CacheException {

	private final List<String> findings;

	/**
	 * Create an exception.
	 * @param findings one sentence each, with class, method and cure
	 */
	public InvalidCacheAnnotationException(List<String> findings) {
		super("", "The cache can't work as it is used:\n  " + String.join("\n  ", findings), null);
		this.findings = List.copyOf(findings);
	}

	/**
	 * Return what was found.
	 * @return one sentence for each finding
	 */
	public List<String> findings() {
		return this.findings;
	}

}
