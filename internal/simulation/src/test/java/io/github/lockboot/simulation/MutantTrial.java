package io.github.lockboot.simulation;

import java.util.List;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.slf4j.LoggerFactory;

import io.github.lockboot.simulation.server.LuaMachine;

/**
 * What is asked of a changed engine. A loader of its own has loaded this class, and all
 * others of this project.
 */
public final class MutantTrial {

	private MutantTrial() {
	}

	/** Return which history breaks a rule, or an empty text. */
	public static String histories(long count) {
		try (Simulation simulation = new Simulation(UnaryOperator.identity())) {
			for (LongFunction<History> histories : List.<LongFunction<History>>of(History::single, History::kept,
					History::of)) {
				long found = simulation.find(histories, 1, count);
				if (found > 0) {
					return "history " + found;
				}
			}
			return "";
		}
	}

	/** Return which walk of a search breaks a rule, or an empty text. */
	public static String search(long walks) {
		try (LuaMachine lua = new LuaMachine()) {
			return Scope.all()
				.stream()
				.map((scope) -> new Search(scope, lua).walks(1, (int) walks, 80))
				.filter((result) -> result.violation() != null)
				.findFirst()
				.map((result) -> "search " + result.violation())
				.orElse("");
		}
	}

	/** Return which test fails, or an empty text. */
	public static String tests(List<String> names) throws ClassNotFoundException {
		Launcher launcher = LauncherFactory.create(LauncherConfig.builder()
			.enableTestExecutionListenerAutoRegistration(false)
			.enableLauncherSessionListenerAutoRegistration(false)
			.build());
		Logger logger = (Logger) LoggerFactory.getLogger("io.github.lockboot");
		// some tests read the log
		logger.setLevel(Level.INFO);
		try {
			for (String name : names) {
				String failed = test(launcher, Class.forName(name));
				if (failed != null) {
					return failed;
				}
			}
			return "";
		}
		finally {
			logger.setLevel(null);
		}
	}

	private static @Nullable String test(Launcher launcher, Class<?> type) {
		SummaryGeneratingListener summary = new SummaryGeneratingListener();
		launcher.execute(LauncherDiscoveryRequestBuilder.request()
			.selectors(DiscoverySelectors.selectClass(type))
			.configurationParameter("junit.jupiter.execution.timeout.default", "10 s")
			.build(), summary);
		return summary.getSummary()
			.getFailures()
			.stream()
			.findFirst()
			.map((failure) -> type.getSimpleName() + " " + failure.getTestIdentifier().getDisplayName())
			.orElse(null);
	}

}
