package io.github.lockboot.rewrite;

import org.openrewrite.java.JavaParser;
import org.openrewrite.java.JavaTemplate;

/**
 * The part of the library's API that the recipes write. The API is source text, because a
 * program that is migrated need not have the library on its class path yet.
 */
final class Api {

	static final String LOCK_OPERATIONS = "io.github.lockboot.LockOperations";

	static final String DISTRIBUTED_LOCK = "io.github.lockboot.annotation.DistributedLock";

	static final String SCHEDULED_LOCK = "io.github.lockboot.annotation.ScheduledLock";

	private static final String[] SOURCES = { """
			package io.github.lockboot;
			public interface LockCallback<T, X extends Throwable> {
				T run() throws X;
			}
			""", """
			package io.github.lockboot;
			public interface LockAction<X extends Throwable> {
				void run() throws X;
			}
			""", """
			package io.github.lockboot;
			public interface LockOperations {
				<T, X extends Throwable> T execute(String name, LockCallback<T, X> section) throws X;
				<X extends Throwable> void execute(String name, LockAction<X> section) throws X;
				java.util.concurrent.locks.Lock asLock(String name);
			}
			""", """
			package io.github.lockboot.annotation;
			public @interface DistributedLock {
				String name() default "";
				String key() default "";
				String waitTime() default "";
				String minHoldTime() default "";
			}
			""", """
			package io.github.lockboot.annotation;
			public @interface ScheduledLock {
				String name();
				String minHoldTime();
				String maxHoldTime() default "";
			}
			""" };

	private Api() {
	}

	static JavaTemplate template(String code, String... imports) {
		return JavaTemplate.builder(code)
			.imports(imports)
			.javaParser(JavaParser.fromJavaVersion().dependsOn(SOURCES))
			.build();
	}

}
