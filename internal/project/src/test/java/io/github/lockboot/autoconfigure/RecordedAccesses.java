package io.github.lockboot.autoconfigure;

import java.lang.reflect.Member;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;

import org.springframework.aot.agent.RecordedInvocation;
import org.springframework.aot.agent.RecordedInvocationsPublisher;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.boot.SpringApplicationAotProcessor;

/**
 * Runs {@link RecordedApplication} under Spring's agent for runtime hints, and then
 * compares its accesses by reflection and to resources with the hints that the build of a
 * native image would get. An access counts if the library makes the access, or if its
 * target is in the library or the application.
 */
final class RecordedAccesses {

	private static final String OURS = "io.github.lockboot";

	/** Classes that make an access for their caller. */
	private static final Pattern HELPERS = Pattern
		.compile("(java|jdk|sun)\\..*|org\\.springframework\\.(util|core|beans\\.BeanUtils|aot\\.agent)\\b.*");

	/**
	 * Class files, without which less is checked; a weaver; types behind Spring's
	 * serializable wrapper; and generated proxies, which Spring registers where it
	 * generates them, which was before this JVM started.
	 */
	private static final Pattern NOT_IN_AN_IMAGE = Pattern
		.compile("\\.class\\]$|org\\.aspectj|java\\.lang\\.reflect\\.ParameterizedType|\\$\\$SpringCGLIB\\$\\$");

	private static final Pattern LOOKUP = Pattern.compile("get(Declared)?(Constructor|Field|Method)");

	private static final Pattern SEARCH = Pattern.compile("get(Declared)?(Classes|Constructors|Fields|Methods)");

	private RecordedAccesses() {
	}

	/**
	 * Run the application and print all accesses.
	 * @param arguments an empty folder, and the arguments of the application
	 */
	public static void main(String[] arguments) throws Exception {
		Queue<RecordedInvocation> recorded = new ConcurrentLinkedQueue<>();
		RecordedInvocationsPublisher.addListener((access) -> {
			if (counts(access)) {
				recorded.add(access);
			}
		});
		RecordedApplication.main(Arrays.copyOfRange(arguments, 1, arguments.length));
		List<RecordedInvocation> accesses = List.copyOf(recorded);
		System.clearProperty("spring.aot.enabled");
		Processor processor = new Processor(Path.of(arguments[0]));
		processor.process();
		accesses.stream()
			.map((access) -> (access.matches(processor.hints) ? "in the hints: " : "missing: ")
					+ access.getMethodReference().getMethodName() + " " + target(access) + " by " + caller(access))
			.distinct()
			.forEach(System.out::println);
		System.out.println("compared");
		System.exit(0); // even if the application that failed has left threads
	}

	private static boolean counts(RecordedInvocation access) {
		Object instance = instance(access);
		String target = target(access);
		boolean absent = !(instance instanceof Member) && access.getReturnValue() == null;
		if (absent || NOT_IN_AN_IMAGE.matcher(target).find()) {
			return false;
		}
		boolean ofOurs = target.replace('/', '.').contains(OURS);
		String method = access.getMethodReference().getMethodName();
		if (SEARCH.matcher(method).matches()) {
			// components of properties are read by name; other classes are searched for
			// annotations, and what is found is called
			return ofOurs && instance instanceof Class<?> type && type.isRecord()
					&& !caller(access).startsWith("org.springframework.aop");
		}
		return (ofOurs && !LOOKUP.matcher(method).matches()) || caller(access).startsWith(OURS);
	}

	private static Object instance(RecordedInvocation access) {
		return access.isStatic() ? access.getMethodReference() : access.getInstance();
	}

	private static String target(RecordedInvocation access) {
		Object instance = instance(access);
		if (instance instanceof Member) {
			return instance.toString();
		}
		return ((instance instanceof Class) ? instance + " " : "") + access.getArguments();
	}

	private static String caller(RecordedInvocation access) {
		return access.getStackFrames()
			.map(StackWalker.StackFrame::getClassName)
			.filter((frame) -> !HELPERS.matcher(frame).matches())
			.findFirst()
			.orElse("");
	}

	/** Keeps the hints instead of writing them. */
	private static final class Processor extends SpringApplicationAotProcessor {

		private RuntimeHints hints = new RuntimeHints();

		Processor(Path folder) {
			super(RecordedApplication.class,
					Settings.builder()
						.sourceOutput(folder.resolve("sources"))
						.resourceOutput(folder.resolve("resources"))
						.classOutput(folder.resolve("classes"))
						.groupId(OURS)
						.artifactId("example")
						.build(),
					new String[0]);
		}

		@Override
		protected void writeHints(RuntimeHints hints) {
			this.hints = hints;
		}

	}

}
