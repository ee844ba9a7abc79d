package io.github.lockboot.autoconfigure;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The classes of the table of which methods are locked, compiled from {@code cells.txt}.
 */
final class Cells {

	/** One row of the table in the manual. */
	record Row(String dimension, List<String> names, List<String> outcomes) {
	}

	/**
	 * A class that declares annotated methods.
	 *
	 * @param other a class in another package, or an empty text
	 * @param call the call of its method
	 * @param creation how an object is created
	 * @param operations methods that it declares in the same manner
	 * @param refused whether the start refuses these
	 */
	record Declaration(String where, String name, String other, String source, String call, String creation,
			List<Operation> operations, boolean refused) {

		static Declaration of(String where, List<String> row) {
			List<String> parts = new ArrayList<>(List.of(row.get(1).split(" --- ")));
			String other = parts.get(0).startsWith("public class Base") ? parts.remove(0) : "";
			return new Declaration(where, row.get(0), other, parts.get(0), (parts.size() > 1) ? parts.get(1) : "run()",
					(parts.size() > 2) ? parts.get(2) : "new Job()", List.of(VOID), false);
		}

		Declaration with(String where, List<Operation> operations, boolean refused) {
			boolean keys = !isOfType() && !this.source.contains("@Once");
			return new Declaration(where, this.name, this.other, this.source.replace("...", ""), "toString()",
					this.creation,
					operations.stream().filter((operation) -> keys || operation.parameter().isEmpty()).toList(),
					refused);
		}

		boolean isPlain() {
			return this.operations.contains(VOID);
		}

		String id() {
			return this.where.replace("cell.", "");
		}

		String cell(Operation operation) {
			return this.name + ", " + operation.name();
		}

		/** Return whether the annotation is on a type. */
		boolean isOfType() {
			return this.source.startsWith("@L");
		}

		/** Return whether other methods can be declared in the same manner. */
		boolean isOfAnyMethod() {
			return (this.other + this.source).matches(".*\\$[MS].*")
					&& !this.source.matches(".*@(jakarta|EventListener).*");
		}

		/** Return whether such a bean can be built, and is a cell. */
		boolean isPossible(List<String> bean, int number) {
			return !Pattern.compile(bean.get(1)).matcher(this.source).find()
					&& (isPlain() || number == 0 || this.where.matches("cell\\..0"));
		}

	}

	/** A method with a result or an argument. */
	record Operation(String name, String method, String type, String parameter, String body, String value) {

		String signature() {
			return this.type + " " + this.method + "(" + this.parameter + ")";
		}

		String annotation() {
			return "@DistributedLock(name = \"job\"" + (this.parameter.isEmpty() ? ")" : ", key = \"#id\")");
		}

	}

	private static final Operation VOID = new Operation("`void`", "run", "void", "", "$B", "");

	private static final String IMPORTS = Stream
		.of("java.io", "java.lang.annotation", "java.nio", "java.util", "java.util.concurrent",
				"java.util.concurrent.atomic", "java.util.function", "java.util.stream", "org.reactivestreams",
				"org.springframework.aop.framework", "org.springframework.beans.factory",
				"org.springframework.beans.factory.annotation", "org.springframework.beans.factory.config",
				"org.springframework.beans.factory.support", "org.springframework.context",
				"org.springframework.context.annotation", "org.springframework.context.event",
				"org.springframework.context.support", "org.springframework.core", "org.springframework.data.domain",
				"org.springframework.http", "org.springframework.web.context.request.async",
				"org.springframework.web.servlet.mvc.method.annotation", "reactor.core.publisher",
				"io.github.lockboot.annotation", "cell")
		.map((name) -> "import " + name + ".*; ")
		.collect(Collectors.joining());

	private static final String SINGLE_IMPORTS = """
			import java.util.concurrent.Callable; import java.util.concurrent.Flow; import java.util.function.Supplier;
			import org.springframework.context.annotation.Scope; import org.reactivestreams.Publisher;
			import org.springframework.context.event.EventListener;
			""";

	private static final String PROBE = """
			public class Probe {
				public record Id(String value) { }
				public interface Cursor extends Iterator<String> { }
				public static final List<String> runs = new CopyOnWriteArrayList<>();
				public static ApplicationContext context;
				public static void run(String... locks) {
					var operations = context.getBean(io.github.lockboot.LockOperations.class);
					runs.add(Arrays.stream(locks).allMatch((lock) -> operations.inspect(lock).isHeld()) ? "locked" : "unlocked");
				}
				%s
			}
			""";

	/** A method in the source of a declaration, with its modifiers. */
	private static final Pattern METHOD = Pattern.compile("((?:@[\\w.]+(?:\\([\\w.]+\\))? "
			+ "|public |protected |private |static |final |abstract |default )*)\\$([MS])");

	private final List<Row> table = table();

	private final List<List<List<String>>> sections = sections();

	private final List<Operation> accepted = new ArrayList<>();

	private final List<Operation> refused = new ArrayList<>();

	private final List<Declaration> declarations = new ArrayList<>();

	private final Path directory;

	private final ClassLoader classLoader;

	Cells(Path directory) throws IOException {
		this.directory = directory;
		this.table.stream().filter((row) -> row.dimension().equals("result")).forEach(this::addResults);
		this.table.stream().filter((row) -> row.dimension().equals("argument")).forEach(this::addArguments);
		List<List<String>> rows = this.sections.get(0);
		for (int number = 0; number < rows.size(); number++) {
			Declaration declaration = Declaration.of("cell.d" + number, rows.get(number));
			this.declarations.add(declaration);
			if (declaration.isOfAnyMethod() && outcome("declared", declaration.name(), false).equals("locked")) {
				this.declarations.add(declaration.with("cell.a" + number, this.accepted, false));
				this.declarations.add(declaration.with("cell.r" + number, this.refused, true));
			}
		}
		this.classLoader = compile();
	}

	List<Declaration> declarations() {
		return this.declarations;
	}

	List<List<String>> beans() {
		return this.sections.get(1);
	}

	/** Return the methods that call a bean from outside, by their names in the manual. */
	Map<String, String> calls() {
		return this.sections.get(2)
			.stream()
			.filter((row) -> row.get(1).startsWith("static void "))
			.collect(Collectors.toMap((row) -> row.get(0), (row) -> row.get(1).split("[ (]")[2]));
	}

	/** Return what is in the manual and cannot be built. */
	List<String> unknown() {
		List<String> known = this.sections.stream().flatMap(List::stream).map((row) -> row.get(0)).toList();
		return this.table.stream()
			.filter((row) -> List.of("declared", "bean").contains(row.dimension()))
			.flatMap((row) -> row.names().stream())
			.filter((name) -> !known.contains(name))
			.toList();
	}

	ClassLoader classLoader() {
		return this.classLoader;
	}

	/** Return what the manual says. */
	String outcome(String dimension, String name, boolean interfaces) {
		return this.table.stream()
			.filter((row) -> row.dimension().equals(dimension) && row.names().contains(name))
			.map((row) -> row.outcomes().get(interfaces ? 1 : 0))
			.findFirst()
			.orElseThrow(() -> new AssertionError("The manual does not say what happens: " + name));
	}

	private void addResults(Row row) {
		boolean fails = row.outcomes().get(0).startsWith("the start");
		for (String name : row.names()) {
			List<String> written = find(3, name, List.of(name, name.replace("`", ""), "$B return null;"));
			List<Operation> operations = fails ? this.refused : this.accepted;
			if (!name.equals("`void`")) {
				operations
					.add(new Operation(name, "result" + operations.size(), written.get(1), "", written.get(2), ""));
			}
		}
	}

	private void addArguments(Row row) {
		boolean fails = row.outcomes().get(0).startsWith("the start");
		for (String name : row.names()) {
			List<String> written = find(4, name, List.of(name, name.replace("`", ""), "null", "-"));
			List<String> keys = Arrays.stream(written.get(3).split(" ")).map((key) -> "job:" + key).toList();
			List<Operation> operations = fails ? this.refused : this.accepted;
			operations.add(new Operation(name, "argument" + operations.size(), "void", written.get(1) + " id",
					"Probe.run(\"" + String.join("\", \"", keys) + "\");", written.get(2)));
		}
	}

	private List<String> find(int section, String name, List<String> otherwise) {
		return this.sections.get(section)
			.stream()
			.filter((row) -> row.get(0).equals(name))
			.findFirst()
			.orElse(otherwise);
	}

	private ClassLoader compile() throws IOException {
		List<String> arguments = new ArrayList<>(
				List.of("-proc:none", "-parameters", "-nowarn", "-d", this.directory.toString()));
		String values = this.accepted.stream()
			.filter((operation) -> !operation.value().isEmpty())
			.map((operation) -> "public static Object %s() { return %s; }".formatted(operation.method(),
					operation.value()))
			.collect(Collectors.joining("\n"));
		arguments.add(write("cell", "Probe", PROBE.formatted(values)));
		for (Declaration declaration : this.declarations) {
			String imports = "";
			if (!declaration.other().isEmpty()) {
				imports = "import " + declaration.where() + ".other.*; ";
				arguments.add(write(declaration.where() + ".other", "Base", expand(declaration.other(), declaration)));
			}
			StringBuilder made = new StringBuilder();
			for (int number = 0; number < beans().size(); number++) {
				List<String> bean = beans().get(number);
				if (declaration.isPossible(bean, number)) {
					made.append("@Configuration static class %s { %s }%n".formatted(declaration.id() + "b" + number,
							bean.get(2)
								.replace("$NEW", expand(declaration.creation(), declaration))
								.replace("$JOB", declaration.id())));
				}
			}
			arguments.add(write(declaration.where(), "Job", imports + expand(declaration.source(), declaration)
					+ "\ninterface Calls { " + methodsOfCalls(declaration) + " } class Made { " + made + " }"));
		}
		int result = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
		assertThat(result).isZero();
		return new URLClassLoader(new URL[] { this.directory.toUri().toURL() }, Cells.class.getClassLoader());
	}

	/** The proxies of interfaces have these methods, too. */
	private String methodsOfCalls(Declaration declaration) {
		return callers(declaration).stream()
			.filter((caller) -> !declaration.source().contains("default void " + caller))
			.map((caller) -> "void " + caller + "();")
			.collect(Collectors.joining(" "));
	}

	/** Return the methods that call an annotated method of their own object. */
	List<String> callers(Declaration declaration) {
		String source = declaration.source().replace("...", this.sections.get(2).toString());
		return !declaration.isPlain() ? List.of() : find("(?:public|default) void (by\\w+)\\(\\)", source);
	}

	private String expand(String source, Declaration declaration) {
		String calls = this.sections.get(2).stream().map((row) -> row.get(1)).collect(Collectors.joining("\n"));
		String call = declaration.call();
		String reference = call.endsWith("()") ? "$1::" + call.replace("()", "") : "() -> $1." + call;
		return METHOD.matcher(source.replace("...", calls))
			.replaceAll((found) -> Matcher.quoteReplacement(methods(found, declaration)))
			.replaceAll("(this|job)::\\$NAME", reference)
			.replace("$CALL", call)
			.replace("$B", "Probe.run(\"job\");")
			.replaceAll("@L\\b", "@DistributedLock(name = \"job\")");
	}

	private String methods(MatchResult found, Declaration declaration) {
		return declaration.operations()
			.stream()
			.map((operation) -> found.group(1).replace("@L", operation.annotation()) + operation.signature()
					+ (found.group(2).equals("S") ? ";" : " { " + operation.body() + " }"))
			.collect(Collectors.joining(" "));
	}

	private String write(String where, String name, String text) throws IOException {
		Path file = this.directory.resolve(where.replace('.', '/')).resolve(name + ".java");
		Files.createDirectories(file.getParent());
		Files.writeString(file, "package " + where + ";\n" + IMPORTS + SINGLE_IMPORTS + text);
		return file.toString();
	}

	private static List<List<List<String>>> sections() {
		String text = read(
				() -> new ClassPathResource("cells.txt", Cells.class).getContentAsString(StandardCharsets.UTF_8));
		return Arrays.stream(text.split("\n\n"))
			.map((section) -> section.lines()
				.filter((line) -> line.contains(" | "))
				.map((line) -> List.of(line.split(" \\| ")))
				.toList())
			.filter((rows) -> !rows.isEmpty())
			.toList();
	}

	private static List<Row> table() {
		return read(() -> Files.readString(Path.of("../docs/locking-methods.md"))).lines()
			.map((line) -> line.replace("fails at startup", "the start fails")
				.replace(", `", ": `")
				.replace("…", "")
				.split(" \\| "))
			.filter((cells) -> cells[0].matches("\\| (declared|bean|called|result|argument)"))
			.map((cells) -> new Row(cells[0].substring(2), List.of(cells[1].split(" · ")),
					List.of(cells[2], cells[3].replaceAll(" \\|$", ""))))
			.toList();
	}

	private static List<String> find(String pattern, String text) {
		return Pattern.compile(pattern).matcher(text).results().map((found) -> found.group(1)).toList();
	}

	private static String read(Callable<String> file) {
		try {
			return file.call();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
