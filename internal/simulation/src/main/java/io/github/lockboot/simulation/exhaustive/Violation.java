package io.github.lockboot.simulation.exhaustive;

/**
 * A rule is broken.
 */
final class Violation extends RuntimeException {

	private static final long serialVersionUID = 1L;

	Violation(String rule) {
		super(rule, null, false, false);
	}

}
