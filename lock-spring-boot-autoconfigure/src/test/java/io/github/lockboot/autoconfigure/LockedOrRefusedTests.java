package io.github.lockboot.autoconfigure;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.BaseStream;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.FlowAdapters;
import org.reactivestreams.Publisher;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import reactor.core.publisher.Flux;

import io.github.lockboot.autoconfigure.Cells.Declaration;
import io.github.lockboot.autoconfigure.Cells.Operation;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An annotation locks, or the start says why not: each cell of the table in the manual.
 * One application has the beans of all declarations that are made in the same manner, and
 * another one those that the start refuses.
 */
@Tag("long")
@Tag("proxies")
@ExtendWith(OutputCaptureExtension.class)
class LockedOrRefusedTests {

	@SuppressWarnings("NullAway.Init")
	private static Cells cells;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DistributedLockAutoConfiguration.class,
				LocalLockAutoConfiguration.class, PropertyPlaceholderAutoConfiguration.class))
		.withPropertyValues("lock.backend=local", "cell.wait=5s")
		.withClassLoader(cells.classLoader());

	private final Map<String, String> expected = new TreeMap<>();

	private final Map<String, String> actual = new TreeMap<>();

	/** Of starts that fail, which are logged with their stacks. */
	private static final Logger STARTS = (Logger) LoggerFactory.getLogger("org.springframework");

	@BeforeAll
	static void compile(@TempDir Path directory) throws IOException {
		cells = new Cells(directory);
		STARTS.setLevel(Level.ERROR);
	}

	@AfterAll
	static void logStartsAgain() {
		STARTS.setLevel(null);
	}

	@Test
	void manualPromisesNothingThatCannotBeBuilt() {
		assertThat(cells.unknown()).isEmpty();
	}

	static Stream<Arguments> beans() {
		return IntStream.range(0, cells.beans().size())
			.boxed()
			.flatMap((bean) -> Stream.of(false, true)
				.map((jdk) -> Arguments.of(bean, cells.beans().get(bean).get(0), jdk)));
	}

	@ParameterizedTest(name = "{1}, JDK proxies: {2}")
	@MethodSource("beans")
	void methodIsLockedOrRefusedAsTheManualSays(int bean, String name, boolean jdk, CapturedOutput output) {
		List<Declaration> called = new ArrayList<>();
		List<Declaration> refused = new ArrayList<>();
		String made = cells.outcome("bean", name, jdk);
		for (Declaration declaration : cells.declarations()) {
			String declared = cells.outcome("declared", declaration.name(), jdk && !name.contains("of the class"));
			String outcome = made.startsWith("as declared") ? declared : made;
			boolean isCell = declaration.isPlain() || outcome.equals("locked");
			if (isCell && isChosen(declaration.id(), bean, jdk)
					&& declaration.isPossible(cells.beans().get(bean), bean)) {
				boolean isRefused = declaration.refused() || outcome.startsWith("the start fails");
				(isRefused ? refused : called).add(declaration);
				if (isRefused) {
					expectRefusal(declaration, outcome);
				}
			}
		}
		start(called, bean, jdk, (context, declaration) -> {
			assertThat(context).hasNotFailed();
			call(declaration, bean(context, declaration, bean), made.startsWith("as declared"));
		});
		if (made.startsWith("as declared")) {
			called.forEach((declaration) -> warn(declaration, output.toString()));
		}
		refuse(refused, bean, jdk);
		// the report on classes stops a start before it has created all beans
		refuse(refused.stream().filter((declaration) -> !isAsExpected(declaration)).toList(), bean, jdk);
		assertThat(this.actual).hasSameSizeAs(this.expected);
		this.actual.entrySet().removeIf((cell) -> cell.getValue().equals(this.expected.get(cell.getKey())));
		assertThat(this.actual).isEmpty();
	}

	/** Return whether a cell is tested. */
	boolean isChosen(String declaration, int bean, boolean jdk) {
		return true;
	}

	/** Start an application with one bean of each declaration. */
	private void start(List<Declaration> declarations, int bean, boolean jdk,
			BiConsumer<AssertableApplicationContext, Declaration> test) {
		List<Class<?>> made = declarations.stream().<Class<?>>map((each) -> made(each, bean)).toList();
		runs().clear();
		this.runner.withPropertyValues("spring.aop.proxy-target-class=" + !jdk).withInitializer((context) -> {
			invoke(type("cell.Probe"), "register", context);
			made.forEach((type) -> invoke(type, "register", context));
		}).withUserConfiguration(made.toArray(Class<?>[]::new)).run((context) -> {
			if (context.getStartupFailure() == null) {
				put("runs at the start", () -> runs().removeIf("locked"::equals), "");
			}
			declarations.forEach((declaration) -> test.accept(context, declaration));
			runs().clear();
		});
	}

	private void expectRefusal(Declaration declaration, String outcome) {
		if (declaration.refused()) {
			declaration.operations()
				.forEach((operation) -> this.expected.put(declaration.cell(operation), operation.outcome()));
		}
		else {
			this.expected.put(declaration.name(), outcome);
		}
	}

	private void refuse(List<Declaration> declarations, int bean, boolean jdk) {
		start(declarations, bean, jdk, (context, declaration) -> {
			String failure = failure(context, declaration, bean);
			if (declaration.refused()) {
				declaration.operations()
					.forEach((operation) -> says(failure, method(declaration, operation), declaration.cell(operation)));
			}
			else {
				says(failure, declaration.methods(), declaration.name());
			}
		});
	}

	private void says(String failure, String method, String cell) {
		this.actual.put(cell, said(failure, method, Objects.requireNonNull(this.expected.get(cell))));
	}

	private static String method(Declaration declaration, Operation operation) {
		return declaration.methods() + ".*\\b" + operation.method() + "\\b";
	}

	/** Return the outcome if a message says of a method what the manual has. */
	private static String said(String message, String method, String outcome) {
		String text = outcome.replaceAll("[^`]*`(.*)`", "$1");
		List<String> lines = message.lines().filter(Pattern.compile(method).asPredicate()).toList();
		return lines.stream().anyMatch((line) -> line.contains(text)) ? outcome
				: "not said: " + (lines.isEmpty() ? message.replaceAll("(?s)(.{200}).*", "$1") : lines);
	}

	private boolean isAsExpected(Declaration declaration) {
		return Stream
			.concat(Stream.of(declaration.name()),
					declaration.operations().stream().map((operation) -> declaration.cell(operation)))
			.allMatch((cell) -> Objects.equals(this.actual.get(cell), this.expected.get(cell)));
	}

	private static String failure(AssertableApplicationContext context, Declaration declaration, int bean) {
		Throwable failure = context.getStartupFailure();
		if (failure == null) {
			try {
				// a scoped proxy creates its bean
				return "" + bean(context, declaration, bean);
			}
			catch (RuntimeException ex) {
				failure = ex;
			}
		}
		return String.valueOf(NestedExceptionUtils.getMostSpecificCause(failure).getMessage());
	}

	private void call(Declaration declaration, Object job, boolean locked) {
		if (locked) {
			put(declaration.name() + ", its creation", () -> runs().removeIf("locked"::equals), "");
		}
		runs().clear();
		Class<?> type = type(declaration.type());
		cells.calls()
			.forEach((name, method) -> Stream.of(type.getDeclaredMethods())
				.filter((each) -> each.getName().equals(method) && each.getParameterTypes()[0].isInstance(job))
				.forEach((each) -> put(declaration.name() + ", " + name, () -> invoke(type, method, job),
						locked ? cells.outcome("called", name, false) : "unlocked")));
		for (int i = 0; !declaration.kotlin().isEmpty() && i < KotlinCells.calls.size(); i++) {
			KotlinCells.Call call = KotlinCells.calls.get(i);
			if (call.type.isInstance(job)) {
				put(declaration.name() + ", call " + i, () -> call.call.invoke(job),
						locked ? cells.outcome("called", "the bean, by its class", false) : "unlocked");
			}
		}
		for (Operation operation : declaration.operations()) {
			Object[] arguments = !operation.hasArgument() ? new Object[0]
					: new Object[] { invoke(type("cell.Probe"), operation.argument(), null) };
			methods(type, job, operation.method()).forEach(
					(method) -> put(declaration.cell(operation) + " of " + method.getDeclaringClass().getSimpleName(),
							() -> end(ReflectionUtils.invokeMethod(method, job, arguments)),
							locked ? operation.outcome() : "unlocked"));
		}
		for (String caller : cells.callers(declaration)) {
			methods(type, job, caller).limit(1)
				.forEach((method) -> put(declaration.name() + ", " + caller,
						() -> end(ReflectionUtils.invokeMethod(method, job)),
						(locked && declaration.isOfType()) ? "locked" : "unlocked"));
		}
	}

	/** Return the methods of a name, of a class and of the interfaces of a bean. */
	private static Stream<Method> methods(Class<?> type, Object bean, String name) {
		Stream<Class<?>> classes = type.isInstance(bean)
				? Stream.<Class<?>>iterate(type, (each) -> each != null, Class::getSuperclass) : Stream.empty();
		return Stream.concat(classes, Arrays.stream(ClassUtils.getAllInterfaces(bean)))
			.distinct()
			.flatMap((each) -> Arrays.stream(each.getDeclaredMethods()))
			.filter((method) -> method.getName().equals(name) && !Modifier.isStatic(method.getModifiers())
					&& (!Modifier.isAbstract(method.getModifiers()) || method.getDeclaringClass().isInterface()))
			.peek(ReflectionUtils::makeAccessible);
	}

	private void put(String cell, Runnable call, String outcome) {
		this.expected.put(cell, outcome.replaceAll("(:|,| until).*", ""));
		String ended = "";
		try {
			call.run();
		}
		catch (RuntimeException ex) {
			ended = said(ex.getMessage() + "\n" + NestedExceptionUtils.getMostSpecificCause(ex).getMessage(), "",
					outcome);
		}
		this.actual.put(cell, ended.isEmpty() ? String.join(" and ", runs()) : ended.replaceAll(":.*", ""));
		runs().clear();
	}

	/** Wait for the end of a result, whose work has not begun before. */
	private static @Nullable Object end(@Nullable Object result) {
		((CompletableFuture<?>) field("later")).complete(null);
		if (result instanceof BaseStream<?, ?> stream) {
			stream.iterator().forEachRemaining((element) -> {
			});
			stream.close();
		}
		if (result instanceof ResponseBodyEmitter) {
			((Runnable) Objects.requireNonNull(ReflectionTestUtils.getField(result, "completionCallback"))).run();
		}
		if (result instanceof CompletionStage<?> stage) {
			return stage.toCompletableFuture().join();
		}
		if (result instanceof Flow.Publisher<?> publisher) {
			return end(FlowAdapters.toPublisher(publisher));
		}
		return (result instanceof Publisher<?> publisher) ? Flux.from(publisher).blockLast() : result;
	}

	/** Expect the warnings of the manual, and one of each call that passes the proxy. */
	private void warn(Declaration declaration, String output) {
		assertThat(output).doesNotContain(".onAnother calls").doesNotContain("Overloads.pay calls");
		List<Operation> annotated = declaration.id().equals("annotated") ? declaration.operations() : List.of();
		for (Operation operation : annotated) {
			String cell = declaration.cell(operation) + ", warning";
			Predicate<String> named = Pattern.compile(method(declaration, operation) + "\\(").asPredicate();
			String logged = output.lines().filter(named).collect(Collectors.joining("\n"));
			this.expected.put(cell, operation.outcome().contains("warning") ? operation.outcome() : "");
			this.actual.put(cell, logged.isEmpty() ? "" : said(logged, "", operation.outcome()));
		}
		String declared = cells.outcome("declared", declaration.name(), false);
		if (declared.contains("warning")) {
			this.expected.put(declaration.name() + ", warning", declared);
			this.actual.put(declaration.name() + ", warning", said(output, declaration.methods(), declared));
		}
		String warning = cells.outcome("called", "`this`", false).replaceAll("[^`]*`(.*)`", "$1");
		for (String caller : cells.callers(declaration)) {
			boolean accessor = !declaration.other().isEmpty() && !List.of("byThis", "byLambda").contains(caller);
			if (!declaration.isOfType() && !accessor) {
				String cell = declaration.name() + ", warning of " + caller;
				this.expected.put(cell, warning);
				this.actual.put(cell, said(output, declaration.methods() + "[\\w$]*\\." + caller + " calls", warning));
			}
		}
	}

	private static Object bean(AssertableApplicationContext context, Declaration declaration, int bean) {
		Object made = invoke(made(declaration, bean), "get", context.getSourceApplicationContext());
		return (made != null) ? made : context.getBean(declaration.id());
	}

	private static Class<?> made(Declaration declaration, int bean) {
		return type(declaration.where() + ".Made$" + declaration.id() + "b" + bean);
	}

	private static Class<?> type(String name) {
		return ClassUtils.resolveClassName(name, cells.classLoader());
	}

	private static Object field(String name) {
		return Objects.requireNonNull(ReflectionTestUtils.getField(type("cell.Probe"), name));
	}

	@SuppressWarnings("unchecked")
	private static List<String> runs() {
		return (List<String>) field("runs");
	}

	/** Call a static method, if there is one. */
	private static @Nullable Object invoke(Class<?> type, String name, @Nullable Object argument) {
		Method method = Arrays.stream(type.getDeclaredMethods())
			.filter((found) -> found.getName().equals(name))
			.findFirst()
			.orElse(null);
		if (method == null) {
			return null;
		}
		ReflectionUtils.makeAccessible(method);
		return ReflectionUtils.invokeMethod(method, null,
				(method.getParameterCount() == 0) ? new Object[0] : new Object[] { argument });
	}

}
