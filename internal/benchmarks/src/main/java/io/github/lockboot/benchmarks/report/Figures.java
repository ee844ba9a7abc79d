package io.github.lockboot.benchmarks.report;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The result of one measurement: numbers with names. A worker sends the figures to its
 * parent as a line.
 */
public record Figures(Map<String, Double> values) {

	public Figures {
		values = Map.copyOf(values);
	}

	/** Return figures without numbers. */
	public static Figures none() {
		return new Figures(Map.of());
	}

	/**
	 * Return figures with one number.
	 * @param name the name, a word
	 */
	public static Figures of(String name, double value) {
		return new Figures(Map.of(name, value));
	}

	/**
	 * Add a number.
	 * @param name the name, a word
	 */
	public Figures and(String name, double value) {
		Map<String, Double> more = new TreeMap<>(this.values);
		more.put(name, value);
		return new Figures(more);
	}

	/**
	 * Return a number.
	 * @throws IllegalArgumentException if there is no number of this name
	 */
	public double get(String name) {
		Double value = this.values.get(name);
		if (value == null) {
			throw new IllegalArgumentException("No figure '" + name + "' in " + this.values);
		}
		return value;
	}

	/** Write the figures as a line. */
	public String line() {
		return this.values.entrySet()
			.stream()
			.map((entry) -> entry.getKey() + "=" + entry.getValue())
			.collect(Collectors.joining(" "));
	}

	/**
	 * Read a line.
	 * @param line what {@link #line} has written
	 */
	public static Figures parse(String line) {
		return new Figures(Arrays.stream(line.split(" "))
			.filter((word) -> !word.isEmpty())
			.map((word) -> word.split("="))
			.collect(Collectors.toMap((pair) -> pair[0], (pair) -> Double.valueOf(pair[1]))));
	}

}
