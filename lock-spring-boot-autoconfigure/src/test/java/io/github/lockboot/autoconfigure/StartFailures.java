package io.github.lockboot.autoconfigure;

import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Starts applications whose start has to fail.
 */
public final class StartFailures {

	private StartFailures() {
	}

	/**
	 * Start an application as a user would, and expect it to fail.
	 * @param arguments properties
	 */
	public static void start(Class<?> application, String... arguments) {
		assertThatException().isThrownBy(() -> new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.run(arguments));
	}

	/**
	 * Start an application, and look at the report of its failure.
	 * @param tests the class that contains the configuration
	 * @param application simple name of the configuration
	 * @param arguments properties, separated by spaces
	 * @param texts separated by a semicolon: what is in the output, and after '!' what is
	 * not
	 */
	public static void assertReport(Class<?> tests, String application, @Nullable String arguments, String texts,
			CharSequence output) {
		start(ClassUtils.resolveClassName(tests.getName() + "$" + application, tests.getClassLoader()),
				Stream.of(Objects.requireNonNullElse(arguments, "").split(" "))
					.map((argument) -> "--" + argument)
					.toArray(String[]::new));
		assertThat(output).contains("APPLICATION FAILED TO START");
		for (String text : texts.split("; ")) {
			if (text.startsWith("!")) {
				assertThat(output).doesNotContain(text.substring(1));
			}
			else {
				assertThat(output).contains(text);
			}
		}
	}

}
