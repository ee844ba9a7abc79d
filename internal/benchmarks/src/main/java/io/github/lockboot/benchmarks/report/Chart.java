package io.github.lockboot.benchmarks.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A chart of bars, or of lines over a few places, as SVG. The values of this library have
 * a separate colour, and each line its own dashes.
 *
 * @param name name of the files
 * @param places the labels below the lines, empty for bars
 * @param series the values by the name of their row; of a bar its value, and if they were
 * measured the least and the greatest one
 */
record Chart(String name, String title, List<Integer> places, Map<String, List<Double>> series) {

	private static final int WIDTH = 760;

	/** Width of the names before the bars. */
	private static final int NAMES = 300;

	/** Width of the names behind the lines. */
	private static final int LABELS = 260;

	private static final int TOP = 44;

	private static final int BAR = 26;

	private static final int HEIGHT = 300;

	private static final List<String> DASHES = List.of("1 0", "6 4", "2 3", "12 4", "10 3 2 3", "1 6", "16 3 1 3",
			"3 8");

	static Chart bars(String name, String title, Map<String, List<Double>> series) {
		return new Chart(name, title, List.of(), series);
	}

	static Chart lines(String name, String title, List<Integer> places, Map<String, List<Double>> series) {
		return new Chart(name, title, places, series);
	}

	String svg(Theme theme) {
		boolean bars = this.places.isEmpty();
		int height = bars ? TOP + BAR * this.series.size() + 12 : TOP + HEIGHT + 36;
		StringBuilder svg = new StringBuilder(String.format(Locale.ROOT,
				"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\""
						+ " aria-label=\"%s\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n",
				WIDTH, height, WIDTH, height, this.title));
		text(svg, theme.text, 12, 24, "start", "15", this.title);
		if (bars) {
			drawBars(svg, theme);
		}
		else {
			drawLines(svg, theme);
		}
		return svg.append("</svg>\n").toString();
	}

	private double greatest() {
		return this.series.values().stream().flatMap(List::stream).mapToDouble(Double::doubleValue).max().orElse(1);
	}

	private void drawBars(StringBuilder svg, Theme theme) {
		double scale = (WIDTH - NAMES - 90) / greatest();
		int y = TOP;
		for (Map.Entry<String, List<Double>> row : this.series.entrySet()) {
			double value = row.getValue().get(0);
			text(svg, theme.text, NAMES - 10, y + 15, "end", "13", row.getKey());
			svg.append(String.format(Locale.ROOT,
					"<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"/>\n", NAMES, y + 2,
					Math.max(1, value * scale), BAR - 8, row.getKey().startsWith("ours") ? theme.ours : theme.others));
			double end = Collections.max(row.getValue());
			if (row.getValue().size() > 1) {
				svg.append(String.format(Locale.ROOT, "<path d=\"M%.1f %dH%.1f\" stroke=\"%s\" stroke-width=\"2\"/>\n",
						NAMES + row.getValue().get(1) * scale, y + 11, NAMES + end * scale, theme.text));
			}
			text(svg, theme.text, NAMES + (int) (end * scale) + 8, y + 15, "start", "13", Numbers.brief(value));
			y += BAR;
		}
	}

	private void drawLines(StringBuilder svg, Theme theme) {
		int right = WIDTH - LABELS + 30;
		int left = 70;
		double tick = tick();
		int ticks = (int) Math.ceil(greatest() / tick);
		double scale = HEIGHT / (ticks * tick);
		double step = (right - left) / (double) (this.places.size() - 1);
		for (int i = 0; i <= ticks; i++) {
			int y = TOP + HEIGHT - i * HEIGHT / ticks;
			svg.append(
					String.format(Locale.ROOT, "<path d=\"M%d %dH%d\" stroke=\"%s\"/>\n", left, y, right, theme.grid));
			text(svg, theme.text, left - 8, y + 4, "end", "12", String.format(Locale.ROOT, "%,.0f", i * tick));
		}
		for (int i = 0; i < this.places.size(); i++) {
			text(svg, theme.text, left + (int) (i * step), TOP + HEIGHT + 22, "middle", "12",
					this.places.get(i).toString());
		}
		List<Integer> labels = labels(scale);
		int number = 0;
		for (Map.Entry<String, List<Double>> row : this.series.entrySet()) {
			List<String> points = new ArrayList<>();
			for (int i = 0; i < row.getValue().size(); i++) {
				points.add(String.format(Locale.ROOT, "%.1f %.1f", left + i * step,
						TOP + HEIGHT - row.getValue().get(i) * scale));
			}
			String color = row.getKey().startsWith("ours") ? theme.ours : theme.others;
			String dashes = DASHES.get(number % DASHES.size());
			int label = labels.get(number++);
			svg.append(String.format(Locale.ROOT,
					"<path d=\"M%sM%d %dh26\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"/>\n",
					String.join("L", points), right + 8, label - 4, color, dashes));
			text(svg, color, right + 40, label, "start", "13", row.getKey());
		}
	}

	/** Return a round number, of which up to five reach the greatest value. */
	private double tick() {
		double power = Math.pow(10, Math.floor(Math.log10(greatest() / 5)));
		return List.of(1, 2, 5, 10)
			.stream()
			.mapToDouble((times) -> times * power)
			.filter((tick) -> tick * 5 >= greatest())
			.findFirst()
			.orElse(10 * power);
	}

	/**
	 * Return the positions of the names of the lines: at the ends of the lines, without
	 * overlap, and none below the lines, where the places are.
	 */
	private List<Integer> labels(double scale) {
		List<List<Double>> rows = List.copyOf(this.series.values());
		List<Integer> order = new ArrayList<>();
		for (int i = 0; i < rows.size(); i++) {
			order.add(i);
		}
		order.sort(Comparator.comparingDouble((row) -> last(rows.get(row))));
		List<Integer> labels = new ArrayList<>(Collections.nCopies(rows.size(), 0));
		int next = TOP + HEIGHT + 4;
		for (int row : order) {
			int label = Math.min(next, (int) (TOP + HEIGHT - last(rows.get(row)) * scale) + 4);
			labels.set(row, label);
			next = label - 16;
		}
		return labels;
	}

	private static double last(List<Double> values) {
		return values.get(values.size() - 1);
	}

	private static void text(StringBuilder svg, String color, int x, int y, String anchor, String size, String text) {
		svg.append(String.format(Locale.ROOT,
				"<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" font-size=\"%s\" fill=\"%s\">%s</text>\n", x, y, anchor,
				size, color, text));
	}

	/** The colours for pages with a light and a dark background. */
	enum Theme {

		LIGHT("#1f2328", "#d0d7de", "#0969da", "#8c959f"),

		DARK("#e6edf3", "#30363d", "#4493f8", "#768390");

		private final String text;

		private final String grid;

		private final String ours;

		private final String others;

		Theme(String text, String grid, String ours, String others) {
			this.text = text;
			this.grid = grid;
			this.ours = ours;
			this.others = others;
		}

		String suffix() {
			return "-" + name().toLowerCase(Locale.ROOT) + ".svg";
		}

	}

}
