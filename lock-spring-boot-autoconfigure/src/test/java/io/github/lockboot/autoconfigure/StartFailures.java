package io.github.lockboot.autoconfigure;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;

import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Starts applications whose start has to fail.
 */
public final class StartFailures {

	private StartFailures() {
	}

	/**
	 * Start an application as a user would, and expect it to fail.
	 * @param application its configuration
	 * @param arguments properties
	 */
	public static void start(Class<?> application, String... arguments) {
		assertThatException().isThrownBy(() -> new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.run(arguments));
	}

}
