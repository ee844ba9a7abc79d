package io.github.lockboot.aop;

import java.util.List;

import io.github.lockboot.Internal;

/**
 * Finds what else stops the start, so that one report lists it with the findings of the
 * locks.
 */
@Internal
@FunctionalInterface
public interface FurtherFindings {

	/** Return the findings that would stop the start if the locks had none. */
	List<String> findings();

}
