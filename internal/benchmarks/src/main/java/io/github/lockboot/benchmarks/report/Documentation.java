package io.github.lockboot.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The pages of the repository whose figures come from measurements. A figure stands
 * between two comments, {@code <!--figure scenario; row; column-->1.20 x<!--end-->}; and
 * so do a table, {@code <!--table scenario-->}, and the sentence about the origin of the
 * measurement, {@code <!--origin scenario-->}.
 */
public record Documentation(Path root) {

	private static final Pattern MEASURED = Pattern.compile("<!--(figure|table|origin) ([^>]+?)-->(.*?)<!--end-->",
			Pattern.DOTALL);

	/** Return the folder of the measurements. */
	public Path measurements() {
		return this.root.resolve("docs/measured");
	}

	/** Update all pages and charts. */
	public void update() throws IOException {
		for (Map.Entry<Path, String> page : pages().entrySet()) {
			Files.writeString(page.getKey(), filled(page.getValue()));
		}
		for (Map.Entry<Path, String> chart : charts().entrySet()) {
			Files.createDirectories(chart.getKey().getParent());
			Files.writeString(chart.getKey(), chart.getValue());
		}
	}

	/**
	 * Read the pages.
	 * @return the texts by the files
	 */
	public Map<Path, String> pages() throws IOException {
		Map<Path, String> pages = new TreeMap<>();
		try (Stream<Path> files = Files.list(this.root.resolve("docs"))) {
			List<Path> all = Stream.concat(Stream.of(this.root.resolve("README.md")), files)
				.filter((file) -> file.toString().endsWith(".md"))
				.toList();
			for (Path file : all) {
				pages.put(file, Files.readString(file));
			}
		}
		return pages;
	}

	/** Replace the figures of a page with those of the latest measurements. */
	public String filled(String page) {
		Map<String, Measurement> all = Measurement.readAll(measurements());
		return MEASURED.matcher(page)
			.replaceAll((place) -> Matcher.quoteReplacement("<!--" + place.group(1) + " " + place.group(2) + "-->"
					+ measured(all, place.group(1), place.group(2).split("; ")) + "<!--end-->"));
	}

	private static String measured(Map<String, Measurement> all, String what, String[] place) {
		Measurement measurement = all.get(place[0]);
		if (measurement == null) {
			throw new IllegalArgumentException("No measurement '" + place[0] + "'");
		}
		return switch (what) {
			case "figure" -> measurement.cell(place[1], place[2]);
			case "table" -> "\n" + measurement.table() + "\n";
			default -> measurement.origin();
		};
	}

	/**
	 * Draw the charts.
	 * @return the pictures by the files
	 */
	public Map<Path, String> charts() {
		Map<Path, String> pictures = new TreeMap<>();
		for (Chart chart : Charts.of(measurements())) {
			for (Chart.Theme theme : Chart.Theme.values()) {
				pictures.put(this.root.resolve("docs/images/charts/" + chart.name() + theme.suffix()),
						chart.svg(theme));
			}
		}
		return pictures;
	}

}
