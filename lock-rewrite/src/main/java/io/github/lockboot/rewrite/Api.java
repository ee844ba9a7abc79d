package io.github.lockboot.rewrite;

import org.openrewrite.java.JavaParser;
import org.openrewrite.java.JavaTemplate;

/**
 * The part of the library's API that the recipes write. The API is source text, because a
 * program that is migrated need not have the library on its class path yet.
 */
final class Api {

	static final String LOCK_OPERATIONS = "io.github.lockboot.LockOperations";

	static final String LEASED_LOCK = "io.github.lockboot.LockOperations$LeasedLock";

	static final String LOCK_REQUEST = "io.github.lockboot.LockRequest";

	static final String LOCK_HANDLE = "io.github.lockboot.LockHandle";

	static final String DISTRIBUTED_LOCK = "io.github.lockboot.annotation.DistributedLock";

	static final String SCHEDULED_LOCK = "io.github.lockboot.annotation.ScheduledLock";

	static final String ON_NOT_ACQUIRED = "io.github.lockboot.annotation.OnNotAcquired";

	private static final String[] SOURCES = { """
			package io.github.lockboot.annotation;
			public enum OnNotAcquired {
				SKIP
			}
			""", """
			package io.github.lockboot.annotation;
			public @interface DistributedLock {
				String name() default "";
				String key() default "";
				String waitTime() default "";
				String minHoldTime() default "";
				String maxHoldTime() default "";
				OnNotAcquired onNotAcquired() default OnNotAcquired.SKIP;
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
