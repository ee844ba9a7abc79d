package io.github.lockboot.simulation;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import org.springframework.core.io.ClassPathResource;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * A defect made by hand: lines of a source file that others replace. The file
 * {@code defects.txt} lists them.
 *
 * @param kind what it breaks
 * @param text what is wrong
 * @param file path from the root of the repository
 */
record Defect(String kind, String text, String file, String before, String after) {

	private static final Path ROOT = Path.of("../..");

	private static final String PROJECT = "io.github.lockboot.";

	/** Return those of some kinds. */
	static List<Defect> of(String... kinds) {
		try {
			String list = new ClassPathResource("defects.txt", Defect.class).getContentAsString(StandardCharsets.UTF_8);
			return Stream.of(list.split("\n\n(?=## )"))
				.skip(1)
				.map((block) -> of(block.lines().toList()))
				.filter((defect) -> List.of(kinds).contains(defect.kind))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Defect of(List<String> lines) {
		String[] title = lines.get(0).substring(3).split(": ", 2);
		return new Defect(title[0], title[1], lines.get(1), part(lines, "-"), part(lines, "+"));
	}

	private static String part(List<String> lines, String sign) {
		return lines.stream()
			.skip(2)
			.filter((line) -> line.startsWith(sign))
			.map((line) -> line.substring(1) + "\n")
			.collect(Collectors.joining());
	}

	/** Return how often its lines are in its file. */
	int occurrences() throws IOException {
		return StringUtils.countOccurrencesOf(source(), this.before);
	}

	private String source() throws IOException {
		return Files.readString(ROOT.resolve(this.file));
	}

	/** Put it into a script, if the script has these lines. */
	String putInto(String source) {
		return source.replace(this.before, this.after);
	}

	/**
	 * Compile its file with it, load this project anew, and return the search for a
	 * history that finds it.
	 * @param folder for the compiler
	 */
	@SuppressWarnings("unchecked")
	LongFunction<String> search(Path folder) throws Exception {
		Path source = folder.resolve(Path.of(this.file).getFileName());
		Files.writeString(source, putInto(source()));
		String classPath = System.getProperty("java.class.path");
		int errors = ToolProvider.getSystemJavaCompiler()
			.run(null, null, null, "-nowarn", "-proc:none", "-d", folder.toString(), "-cp", classPath,
					source.toString());
		Assert.state(errors == 0, () -> "It does not compile: " + this);
		List<URL> parts = new ArrayList<>(List.of(folder.toUri().toURL()));
		for (String part : classPath.split(File.pathSeparator)) {
			parts.add(Path.of(part).toUri().toURL());
		}
		ClassLoader changed = new URLClassLoader(parts.toArray(URL[]::new), new Others());
		return (LongFunction<String>) changed.loadClass(HistorySearch.class.getName())
			.getDeclaredConstructor()
			.newInstance();
	}

	@Override
	public String toString() {
		return this.kind + ": " + this.text;
	}

	/** Loads what is not of this project. */
	private static final class Others extends ClassLoader {

		Others() {
			super(Others.class.getClassLoader());
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (name.startsWith(PROJECT)) {
				throw new ClassNotFoundException(name);
			}
			return super.loadClass(name, resolve);
		}

	}

}
