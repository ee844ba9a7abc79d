package io.github.lockboot.docs;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A query of Prometheus, parsed as far as necessary to check its names.
 *
 * @param text the query
 */
record PromQuery(String text) {

	private static final Set<String> WORDS = Set.of("sum", "max", "by", "rate", "increase");

	private static final Pattern SELECTOR = Pattern.compile("(\\w+)\\{([^}]*)}");

	private static final Pattern GROUPING = Pattern.compile("by \\(([^)]*)\\)");

	/**
	 * Parse a query, or the query of a dashboard variable.
	 * @param text the text
	 * @return the query
	 */
	static PromQuery of(String text) {
		return new PromQuery(text.replaceAll("label_values\\((\\w+(?:\\{[^}]*})?), (\\w+)\\)", "sum by ($2) ($1)"));
	}

	/**
	 * Return the queried series.
	 * @return their names
	 */
	Set<String> series() {
		String bare = this.text.replaceAll("\"[^\"]*\"", "")
			.replaceAll("\\{[^}]*}", "")
			.replaceAll("\\[[^\\]]*]", "")
			.replaceAll(GROUPING.pattern(), "");
		Set<String> names = words(bare).collect(Collectors.toCollection(HashSet::new));
		names.removeAll(WORDS);
		return names;
	}

	/**
	 * Return the labels that select series.
	 * @return label names by the name of the series
	 */
	Map<String, Set<String>> selectors() {
		Map<String, Set<String>> selectors = new HashMap<>();
		SELECTOR.matcher(this.text).results().forEach((match) -> {
			String labels = match.group(2).replaceAll("\"[^\"]*\"", "");
			selectors.computeIfAbsent(match.group(1), (name) -> new HashSet<>()).addAll(words(labels).toList());
		});
		return selectors;
	}

	/**
	 * Return the labels of the result.
	 * @return their names
	 */
	Set<String> groupings() {
		return GROUPING.matcher(this.text)
			.results()
			.flatMap((match) -> Arrays.stream(match.group(1).split(", ")))
			.collect(Collectors.toSet());
	}

	private static Stream<String> words(String text) {
		return Pattern.compile("[a-zA-Z_]\\w*").matcher(text).results().map(MatchResult::group);
	}

}
