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
import java.util.Objects;
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
			List<Operation> possible = operations.stream()
				.filter((operation) -> operation.isRefused() == refused && (keys || !operation.hasArgument()))
				.toList();
			return new Declaration(where, this.name, this.other, this.source.replace("...", ""), "toString()",
					this.creation, possible, refused);
		}

		/** The same methods, each called through {@code this}. */
		Declaration withCallers(String where, List<Operation> operations) {
			String callers = operations.stream()
				.filter((operation) -> !operation.hasArgument() && !operation.isRefused())
				.map(Operation::caller)
				.collect(Collectors.joining(" "));
			Declaration called = with(where, operations, false);
			return new Declaration(where, this.name, "", "class Job { @L public $M " + callers + " }", "toString()",
					this.creation, called.operations, false);
		}

		boolean isPlain() {
			return this.operations.contains(VOID);
		}

		String id() {
			return this.where.replace("cell.", "");
		}

		String cell(Operation operation) {
			return this.name + " " + id() + ", " + operation.name();
		}

		/** Return the name of its class of Kotlin, or an empty text. */
		String kotlin() {
			return this.source.startsWith("kotlin ") ? this.source.replaceAll("kotlin (\\w+):.*", "$1") : "";
		}

		String type() {
			return kotlin().isEmpty() ? this.where + ".Job" : KotlinCells.class.getName() + "$" + kotlin();
		}

		/** Return a pattern of its methods in messages, up to a part of the class. */
		String methods() {
			return kotlin().isEmpty() ? this.where + "\\." : Pattern.quote(type());
		}

		/** Return whether the annotation is on a type. */
		boolean isOfType() {
			return this.source.startsWith("@L") || this.source.contains("@Once class");
		}

		/** Return whether other methods can be declared in the same manner. */
		boolean isOfAnyMethod() {
			return kotlin().isEmpty() && (this.other + this.source).matches(".*\\$[MS].*")
					&& !this.source.matches(".*@(jakarta|EventListener).*");
		}

		/** Return whether such a bean can be built, and is a cell. */
		boolean isPossible(List<String> bean, int number) {
			return !Pattern.compile(bean.get(1)).matcher(this.source).find()
					&& (isPlain() || number == 0 || this.where.matches("cell\\..0"));
		}

	}

	/**
	 * A method with a result, an argument, both, or an annotation of its own.
	 *
	 * @param code its declaration, after the annotation and the modifiers
	 * @param value its argument, or an empty text
	 * @param outcome what the manual says
	 */
	record Operation(String name, String method, String annotation, String code, String value, String outcome) {

		/** Return the name of its argument, which pairs with one argument share. */
		String argument() {
			return this.method.replaceFirst("result\\d+", "");
		}

		boolean hasArgument() {
			return !this.code.contains(this.method + "()");
		}

		boolean isRefused() {
			return this.outcome.startsWith("the start");
		}

		String signature() {
			return before(" {") + ";";
		}

		String caller() {
			return "public " + before("(").replace(this.method, "by_" + this.method) + "() { "
					+ (this.code.startsWith("void") ? "" : "return ") + "this." + this.method + "(); }";
		}

		/**
		 * Return a method with the result of this one and the argument of another one.
		 */
		Operation with(Operation argument) {
			String method = this.method + argument.method;
			String parameters = argument.before(" {").replace("void " + argument.method, method);
			String body = argument.code.substring(argument.code.indexOf('{') + 2, argument.code.length() - 2);
			String outcome = Stream.of("the start", "the call", "")
				.flatMap((start) -> Stream.of(argument, this).filter((each) -> each.outcome.startsWith(start)))
				.map(Operation::outcome)
				.findFirst()
				.orElseThrow();
			return new Operation(this.name + " of " + argument.name, method, argument.annotation,
					this.code.replace(this.method + "()", parameters).replace("$B", body), argument.value, outcome);
		}

		private String before(String end) {
			return this.code.substring(0, this.code.indexOf(end));
		}

	}

	private static final Operation VOID = new Operation("`void`", "run", "@DistributedLock(name = \"job\")",
			"void run() { $B }", "", "locked");

	private static final String IMPORTS = Stream
		.of("java.io", "java.lang.annotation", "java.lang.reflect", "java.math", "java.net", "java.net.http",
				"java.nio", "java.nio.channels", "java.nio.charset", "java.nio.file", "java.security", "java.time",
				"java.util", "java.util.concurrent", "java.util.concurrent.atomic", "java.util.function",
				"java.util.stream", "org.reactivestreams", "org.springframework.aop.framework",
				"org.springframework.beans.factory", "org.springframework.beans.factory.annotation",
				"org.springframework.beans.factory.config", "org.springframework.beans.factory.support",
				"org.springframework.context", "org.springframework.context.annotation",
				"org.springframework.context.event", "org.springframework.context.support", "org.springframework.core",
				"org.springframework.core.io", "org.springframework.core.task", "org.springframework.data.domain",
				"org.springframework.http", "org.springframework.scheduling.annotation", "org.springframework.util",
				"org.springframework.web.client", "org.springframework.web.context.request.async",
				"org.springframework.web.servlet", "org.springframework.web.servlet.mvc.method.annotation",
				"org.springframework.web.util", "reactor.core", "reactor.core.publisher", "reactor.core.scheduler",
				"reactor.util.function", "io.github.lockboot.annotation", "cell")
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
				public record Bytes(byte[] value) { }
				public record When(Date value) { }
				public record At(Calendar value) { }
				public record Outer(When value) { }
				public record Maybe(Optional<Date> value) { }
				public record Worker(Thread value) { }
				static URL url() {
					try { return new URL("file:a"); } catch (MalformedURLException ex) { throw new IllegalStateException(ex); }
				}
				public record Several(Set<String> value) { }
				public enum Size { LARGE { public String toString() { return "large"; } } }
				public record Order(long id, Customer customer) { }
				public static class Customer { public String getName() { return null; } }
				public static class Plain { }
				public static class Desk { String hidden(String id) { return id; } }
				@Retention(RetentionPolicy.RUNTIME) @ScheduledLock(name = "nightly", minHoldTime = "1s")
				public @interface Nightly { }
				@Retention(RetentionPolicy.RUNTIME) @DistributedSemaphore(permits = "3") @Nightly
				public @interface Twofold { }
				public interface Cursor extends Iterator<String> { }
				public interface Task extends Runnable { }
				public static final List<String> runs = new CopyOnWriteArrayList<>();
				public static CompletableFuture<String> later = new CompletableFuture<>();
				public static CompletableFuture<String> later() { return later = new CompletableFuture<>(); }
				public static ApplicationContext context;
				static void register(GenericApplicationContext started) {
					context = started;
					io.github.lockboot.autoconfigure.KotlinCells.probe = (lock) -> {
						run(lock);
						return kotlin.Unit.INSTANCE;
					};
					started.registerBean("desk", Desk.class, Desk::new);
					started.registerBean("looked", Object.class, () -> {
						run("job");
						return new Object();
					}, (definition) -> definition.setScope("prototype"));
				}
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

	private final List<Operation> results = new ArrayList<>();

	private final List<Operation> arguments = new ArrayList<>();

	private final List<Operation> annotations = new ArrayList<>();

	private final List<Declaration> declarations = new ArrayList<>();

	private final Path directory;

	private final ClassLoader classLoader;

	Cells(Path directory) throws IOException {
		this.directory = directory;
		this.table.forEach((row) -> row.names().forEach((name) -> addOperation(row, name)));
		List<Operation> operations = Stream.concat(this.results.stream(), this.arguments.stream()).toList();
		List<List<String>> rows = this.sections.get(0);
		for (int number = 0; number < rows.size(); number++) {
			Declaration declaration = Declaration.of("cell.d" + number, rows.get(number));
			this.declarations.add(declaration);
			if (declaration.isOfAnyMethod() && outcome("declared", declaration.name(), false).equals("locked")) {
				this.declarations.add(declaration.with("cell.a" + number, operations, false));
				this.declarations.add(declaration.with("cell.r" + number, operations, true));
			}
		}
		addPairs(this.declarations.get(0));
		this.classLoader = compile();
	}

	private void addPairs(Declaration declaration) {
		this.declarations.add(declaration.withCallers("cell.own", this.results));
		for (Operation argument : this.arguments) {
			// a result is refused whatever the argument is
			List<Operation> pairs = this.results.stream()
				.filter((result) -> !result.isRefused() || argument == this.arguments.get(0))
				.map((result) -> result.with(argument))
				.toList();
			this.declarations.add(declaration.with("cell.p" + argument.method(), pairs, false));
			this.declarations.add(declaration.with("cell.q" + argument.method(), pairs, true));
		}
		this.declarations.add(declaration.with("cell.annotated", this.annotations, false));
		this.declarations.add(declaration.with("cell.rejected", this.annotations, true));
		this.declarations.removeIf((each) -> each.operations().isEmpty());
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

	private void addOperation(Row row, String name) {
		String outcome = row.outcomes().get(0);
		String code = name.replace("`", "");
		if (row.dimension().equals("result") && !name.equals("`void`")) {
			List<String> written = find(3, name, List.of(name, code, "$B return null;"));
			String method = "result" + this.results.size();
			this.results.add(new Operation(name, method, VOID.annotation(),
					written.get(1) + " " + method + "() { " + written.get(2) + " }", "", outcome));
		}
		else if (row.dimension().equals("argument")) {
			List<String> written = find(4, name, List.of(name, code, "null", "-"));
			String method = "argument" + this.arguments.size();
			this.arguments.add(new Operation(name, method, "@DistributedLock(name = \"job\", key = \"#id\")",
					"void " + method + "(" + written.get(1) + " id) { " + run(written.get(3)) + " }", written.get(2),
					outcome));
		}
		else if (row.dimension().equals("attributes")) {
			String lock = code.contains("key = ") ? "42" : "-";
			String attributes = code.startsWith("@") ? code : "@DistributedLock(name = \"job\", " + code + ")";
			String keys = code.contains("key = ") ? "42" : "-";
			List<String> written = find(5, name,
					List.of(name, attributes, "void $NAME(String id) { $B }", keys, "\"42\""));
			String method = "annotation" + this.annotations.size();
			this.annotations.add(new Operation(name, method, written.get(1).replace("$NAME", method),
					written.get(2).replace("$NAME", method).replace("$B", run(written.get(3))), written.get(4),
					outcome));
		}
	}

	/** Return the body of a method that expects the locks of some keys. */
	private static String run(String keys) {
		return Arrays.stream(keys.split(" and "))
			.map((key) -> key.equals("-") ? "\"job\"" : "\"job:" + key + "\"")
			.collect(Collectors.joining(", ", "Probe.run(", ");"));
	}

	/** Return what is written for a name, and the defaults of what is not. */
	private List<String> find(int section, String name, List<String> defaults) {
		List<String> found = new ArrayList<>(this.sections.get(section)
			.stream()
			.filter((row) -> row.get(0).equals(name))
			.findFirst()
			.orElse(defaults));
		found.addAll(defaults.subList(found.size(), defaults.size()));
		return found;
	}

	private ClassLoader compile() throws IOException {
		List<String> arguments = new ArrayList<>(
				List.of("-proc:none", "-parameters", "-nowarn", "-d", this.directory.toString()));
		String values = Stream.concat(this.arguments.stream(), this.annotations.stream())
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
					made.append("@Configuration static class %s { %s }%n"
						.formatted(declaration.id() + "b" + number, bean.get(2)
							.replace("$NEW", expand(declaration.creation(), declaration))
							.replace("$JOB", declaration.id())
							.replaceAll("\\bJob\\b",
									declaration.kotlin().isEmpty() ? "Job" : declaration.type().replace('$', '.'))));
				}
			}
			String source = declaration.kotlin().isEmpty() ? expand(declaration.source(), declaration) : "";
			arguments.add(write(declaration.where(), "Job", imports + source + "\ninterface Calls { "
					+ methodsOfCalls(declaration) + " } class Made { " + made + " }"));
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
		return !declaration.isPlain() && !declaration.id().equals("own") ? List.of()
				: find("(?:public|default) [^;{}()]* (by\\w+)\\(\\)", source);
	}

	private String expand(String source, Declaration declaration) {
		String calls = this.sections.get(2).stream().map((row) -> row.get(1)).collect(Collectors.joining("\n"));
		String call = declaration.call();
		String reference = call.matches("\\w+\\(\\)") ? "$1::" + call.replace("()", "") : "() -> $1." + call;
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
			.map((operation) -> found.group(1).replace("@L", operation.annotation())
					+ (found.group(2).equals("S") ? operation.signature() : operation.code()))
			.collect(Collectors.joining("\n"));
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
		Path directory = Path.of("").toAbsolutePath();
		while (!Files.exists(directory.resolve("docs"))) {
			directory = Objects.requireNonNull(directory.getParent());
		}
		Path page = directory.resolve("docs/locking-methods.md");
		return read(() -> Files.readString(page)).lines()
			.map((line) -> line.replace("fails at startup", "the start fails")
				.replace(", `", ": `")
				.replace("…", "")
				.split(" \\| "))
			.filter((cells) -> cells[0].matches("\\| (declared|bean|called|result|argument|attributes)"))
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
