package io.github.lockboot.sample.web;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * Checks of request parameters.
 */
public final class Input {

	private Input() {
	}

	/** Refuse a number outside its bounds with status 400. */
	public static void between(String name, long value, long min, long max) {
		if (value < min || value > max) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST,
					"'" + name + "' must be between " + min + " and " + max + " but is " + value);
		}
	}

}
