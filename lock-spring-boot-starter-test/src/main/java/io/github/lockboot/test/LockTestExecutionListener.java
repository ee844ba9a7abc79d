package io.github.lockboot.test;

import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/**
 * Clears the journal, which records only if a test uses it, and releases the locks of the
 * other node before and after each test, because tests may share an application.
 */
final class LockTestExecutionListener implements TestExecutionListener, Ordered {

	private static final Set<Class<?>> USES = Set.of(LockJournal.class, OtherNode.class);

	/** Return an order before that of Spring's listener that closes contexts. */
	@Override
	public int getOrder() {
		return 5000;
	}

	@Override
	public void beforeTestMethod(TestContext test) {
		cleanUp(test);
	}

	@Override
	public void afterTestMethod(TestContext test) {
		cleanUp(test);
	}

	private static void cleanUp(TestContext test) {
		if (test.hasApplicationContext()) {
			ApplicationContext application = test.getApplicationContext();
			application.getBeanProvider(OtherNode.class).forEach(OtherNode::releaseAll);
			application.getBeanProvider(LockJournal.class)
				.forEach((journal) -> journal.restart(asksForEvents(test.getTestClass())));
		}
	}

	/** Return whether a test class, or a class around or above it, can use the events. */
	private static boolean asksForEvents(@Nullable Class<?> type) {
		return type != null && (typesIn(type).anyMatch(USES::contains) || asksForEvents(type.getSuperclass())
				|| asksForEvents(type.getEnclosingClass()));
	}

	private static Stream<Class<?>> typesIn(Class<?> type) {
		Stream<Class<?>> fields = Arrays.stream(type.getDeclaredFields()).map(Field::getType);
		Stream<Class<?>> parameters = Stream
			.<Executable>concat(Arrays.stream(type.getDeclaredConstructors()), Arrays.stream(type.getDeclaredMethods()))
			.filter((executable) -> !executable.isSynthetic())
			.flatMap((executable) -> Arrays.stream(executable.getParameterTypes()));
		return Stream.concat(fields, parameters);
	}

}
