package io.github.lockboot.benchmarks.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The stored table of one scenario: a page of Markdown, from which the figures and charts
 * of the documentation are taken.
 *
 * @param table the whole table, as Markdown
 * @param cells the cells by the names of their row and column, in order, also those of
 * the requirements
 * @param origin where, when and with which versions the table was measured, as a sentence
 */
public record Measurement(String title, String table, Map<String, Map<String, String>> cells, String origin) {

	/**
	 * Store a measurement.
	 * @param origin where, when and with which versions the scenario was measured
	 */
	public static void write(Path folder, String id, ScenarioReport scenarioReport, String origin) {
		try {
			Files.writeString(Files.createDirectories(folder).resolve(id + ".md"),
					scenarioReport.markdown() + "\n" + origin + "\n");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Read the stored measurements.
	 * @return the measurements by their scenarios; none if there is no folder
	 */
	public static Map<String, Measurement> readAll(Path folder) {
		if (!Files.isDirectory(folder)) {
			return Map.of();
		}
		try (Stream<Path> files = Files.list(folder)) {
			return files.collect(
					Collectors.toMap((file) -> file.getFileName().toString().replace(".md", ""), Measurement::read));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Measurement read(Path file) {
		try {
			List<String> lines = Files.readAllLines(file);
			List<String> table = table(lines, "|");
			Map<String, Map<String, String>> cells = named(table);
			cells.putAll(named(table(lines, "| requirement |")));
			return new Measurement(lines.get(0).substring(2), String.join("\n", table), cells,
					lines.get(lines.size() - 1));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<String> table(List<String> lines, String begin) {
		return lines.stream()
			.dropWhile((line) -> !line.startsWith(begin))
			.takeWhile((line) -> line.startsWith("|"))
			.toList();
	}

	private static Map<String, Map<String, String>> named(List<String> table) {
		Map<String, Map<String, String>> named = new LinkedHashMap<>();
		table.stream()
			.skip(2)
			.map(Measurement::cells)
			.forEach((row) -> named.put(row.get(0), named(cells(table.get(0)), row)));
		return named;
	}

	private static List<String> cells(String line) {
		return Arrays.stream(line.substring(1, line.lastIndexOf('|')).split("\\|", -1))
			.map((cell) -> cell.replace("**", "").trim())
			.toList();
	}

	private static Map<String, String> named(List<String> heads, List<String> row) {
		Map<String, String> named = new LinkedHashMap<>();
		for (int i = 1; i < row.size(); i++) {
			named.put(heads.get(i), row.get(i));
		}
		return named;
	}

	/**
	 * Return a figure as written in the table.
	 * @param row name of the row, without emphasis
	 */
	public String cell(String row, String column) {
		String cell = this.cells.getOrDefault(row, Map.of()).get(column);
		if (cell == null || cell.isEmpty()) {
			throw new IllegalArgumentException("'" + this.title + "' has no '" + column + "' of '" + row + "', but "
					+ this.cells.entrySet()
						.stream()
						.map((entry) -> entry.getKey() + entry.getValue().keySet())
						.collect(Collectors.joining(", ")));
		}
		return cell;
	}

	/**
	 * Return a figure as a number.
	 * @param row name of the row, without emphasis
	 * @return the number with which the cell begins
	 */
	public double number(String row, String column) {
		return Double.parseDouble(cell(row, column).split(" ")[0].replace(",", ""));
	}

}
