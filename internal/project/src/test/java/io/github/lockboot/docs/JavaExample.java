package io.github.lockboot.docs;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An example in Java: a whole source file with one class, so that it can be copied
 * without changes. It may use the classes of other examples of its page.
 *
 * @param page its page
 * @param source its text
 */
record JavaExample(Page page, String source) {

	private static final Pattern CLASS = Pattern.compile("(?m)^(?:public )?class (\\w+)");

	private static final List<String> OPTIONS = List.of("-parameters", "-proc:none", "-Xlint:all", "-Werror");

	private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

	// shared, because it reads the tables of contents of all jars
	private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

	/**
	 * Compile the example.
	 * @param directory an empty directory
	 * @return its class
	 */
	Class<?> compile(Path directory) throws IOException, ClassNotFoundException {
		List<Path> files = new ArrayList<>(List.of(write(directory)));
		for (JavaExample other : used()) {
			files.add(other.write(directory));
		}
		StringWriter complaints = new StringWriter();
		FILES.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(directory));
		boolean compiled = COMPILER
			.getTask(complaints, FILES, null, OPTIONS, null, FILES.getJavaFileObjectsFromPaths(files))
			.call();
		assertThat(compiled).as(() -> complaints.toString()).isTrue();
		return new URLClassLoader(new URL[] { directory.toUri().toURL() }, getClass().getClassLoader())
			.loadClass(name());
	}

	/** The other examples of the page whose classes this one uses. */
	List<JavaExample> used() {
		return this.page.blocks("java")
			.stream()
			.map((java) -> new JavaExample(this.page, java))
			.filter((other) -> Pattern.compile("\\b" + other.name() + "\\b").matcher(this.source).find())
			.filter((other) -> !this.source.contains("class " + other.name() + " "))
			.toList();
	}

	private Path write(Path directory) throws IOException {
		return Files.writeString(directory.resolve(name() + ".java"), this.source);
	}

	String name() {
		Matcher matcher = CLASS.matcher(this.source);
		assertThat(matcher.find()).as("a class in:%n%s", this.source).isTrue();
		return matcher.group(1);
	}

	@Override
	public String toString() {
		return name() + " in " + this.page;
	}

}
