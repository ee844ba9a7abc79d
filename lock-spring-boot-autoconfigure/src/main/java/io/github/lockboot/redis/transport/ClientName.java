package io.github.lockboot.redis.transport;

import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * What connections are called in {@code CLIENT LIST}, so that an operator sees whose they
 * are.
 *
 * @param application name of the application, if it has one
 * @param users what the connections are for
 */
record ClientName(@Nullable String application, String users) {

	/**
	 * Return the name.
	 * @param given the name that the application has given to its own connections, if it
	 * has
	 * @return for example {@code shop-locks}; Redis takes no other characters than those
	 * it has
	 */
	String text(@Nullable String given) {
		String first = StringUtils.hasText(given) ? given : this.application;
		return StringUtils.hasText(first) ? first.replaceAll("[^!-~]", "-") + "-" + this.users : this.users;
	}

}
