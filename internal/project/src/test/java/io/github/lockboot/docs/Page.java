package io.github.lockboot.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A page of the documentation.
 */
record Page(Path file, String text) {

	private static final Path ROOT = Path.of("../..");

	static Page readme() {
		return read(ROOT.resolve("README.md"));
	}

	static Page docs(String name) {
		return read(ROOT.resolve("docs").resolve(name));
	}

	/** The sentences that promise most, and the tests that prove them. */
	static Page promises() {
		return read(Path.of("src/test/resources/io/github/lockboot/docs/promises.md"));
	}

	/** The runs by which figures were measured that no benchmark stores. */
	static Page runs() {
		return read(Path.of("src/test/resources/io/github/lockboot/docs/runs.md"));
	}

	static List<Page> all() {
		try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
			return Stream.concat(Stream.of(readme()), docs.filter(Files::isRegularFile).sorted().map(Page::read))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Page read(Path file) {
		return new Page(file, Sources.read(file));
	}

	/**
	 * Return the fenced blocks in a language.
	 * @param language the language after the opening fence
	 */
	List<String> blocks(String language) {
		return find("(?ms)^```" + language + "\n(.*?)^```$");
	}

	/**
	 * Return the targets of the links to this page and to other files of the project.
	 * @return paths, relative to this page, and anchors
	 */
	List<String> links() {
		return find("\\]\\(((?!https?://)[^)]+)");
	}

	/** Check that a link leads to a file, and to a heading if it has an anchor. */
	void follow(String link) {
		String[] parts = link.split("#", 2);
		Path target = parts[0].isEmpty() ? this.file : this.file.resolveSibling(parts[0]);
		assertThat(target).exists();
		if (parts.length == 2) {
			assertThat(read(target).anchors()).contains(parts[1]);
		}
	}

	/** The anchors that GitHub gives to headings. */
	private List<String> anchors() {
		return find("(?m)^#+ (.*)$").stream()
			.map((heading) -> heading.toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
			.toList();
	}

	/**
	 * Return the first table under a heading, without its header.
	 * @return its rows, each a list of cells
	 */
	List<List<String>> table(String heading) {
		return this.text.lines()
			.dropWhile((line) -> !line.matches("#+ " + heading))
			.dropWhile((line) -> !line.startsWith("| ---"))
			.skip(1)
			.takeWhile((line) -> line.startsWith("|"))
			.map((line) -> Arrays.stream(line.substring(1).split("\\|")).map(String::trim).toList())
			.toList();
	}

	/**
	 * Return the text without examples, headings, measured figures and the targets of
	 * links.
	 * @return paragraphs, list items and tables, separated by empty lines
	 */
	String prose() {
		return withoutTargets(this.text).replaceAll("(?ms)^```.*?^```$", "")
			.replaceAll("(?s)<!--(?:figure|table|origin|run) .*?<!--end-->", "")
			.replaceAll("(?m)^#.*$", "\n#\n")
			.replaceAll("(?m)^(?=- |\\d+\\. )", "\n");
	}

	/**
	 * Return a text without the targets of its links.
	 * @return the same text with the names of the links in brackets
	 */
	static String withoutTargets(String text) {
		return text.replaceAll("\\]\\([^)]*\\)", "]");
	}

	private List<String> find(String pattern) {
		return Pattern.compile(pattern)
			.matcher(this.text)
			.results()
			.map((MatchResult match) -> match.group(1))
			.toList();
	}

	@Override
	public String toString() {
		return this.file.getFileName().toString();
	}

}
