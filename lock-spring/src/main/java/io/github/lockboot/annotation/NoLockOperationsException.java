package io.github.lockboot.annotation;

import java.util.List;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;

import io.github.lockboot.Internal;
import io.github.lockboot.LockException;

/**
 * Thrown when there are annotated methods but no {@code LockOperations} bean to lock
 * them.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class NoLockOperationsException extends LockException {

	private final List<String> methods;

	/**
	 * Create an exception.
	 * @param methods class, method and parameter types of each annotated method
	 * @param cause the failed lookup
	 */
	@Internal
	public NoLockOperationsException(List<String> methods, NoSuchBeanDefinitionException cause) {
		super(null,
				"There is no LockOperations bean for the methods with @DistributedLock: " + String.join(", ", methods),
				cause);
		this.methods = List.copyOf(methods);
	}

	/**
	 * Return the annotated methods.
	 * @return class, method and parameter types of each
	 */
	public List<String> methods() {
		return this.methods;
	}

}
