package io.github.lockboot.rewrite;

import org.junit.jupiter.api.Test;

import static org.openrewrite.java.Assertions.java;
import static org.openrewrite.test.SourceSpecs.text;

class ReplaceLock4jTests extends RecipeTests {

	ReplaceLock4jTests() {
		super("FromLock4j");
	}

	@Test
	void annotationsBecomeDistributedLocks() {
		String before = """
				import com.baomidou.lock.annotation.Lock4j;

				class Orders {

					@Lock4j(name = "order", keys = "#id", expire = 60000, acquireTimeout = 1000)
					public void pay(String id) {
					}

					// two keys
					@Lock4j(keys = { "#user.id", "#order['a']" }, acquireTimeout = 250L)
					public void cancel(Object user, Object order) {
					}

					@Lock4j
					public void count() {
					}

					@Lock4j(name = Orders.REPORT, keys = {}, acquireTimeout = -1, expire = 90000, autoRelease = false)
					public void report() {
					}

					static final String REPORT = "report";

				}
				""";
		rewrites(before,
				before.replace("com.baomidou.lock.annotation.Lock4j", "io.github.lockboot.annotation.DistributedLock")
					.replace("@Lock4j", "@DistributedLock")
					.replace("keys = \"#id\", expire = 60000, acquireTimeout = 1000",
							"key = \"#id\", waitTime = \"1s\", maxHoldTime = \"60s\"")
					.replace("keys = { \"#user.id\", \"#order['a']\" }, acquireTimeout = 250L",
							"key = \"#{#user.id}/#{#order['a']}\", waitTime = \"250ms\"")
					.replace("keys = {}, acquireTimeout = -1, expire = 90000, autoRelease = false",
							"minHoldTime = \"90s\", maxHoldTime = \"90s\""));
	}

	@Test
	void annotationsWithoutEquivalentStayWithTheReason() {
		String before = """
				import com.baomidou.lock.DefaultLockFailureStrategy;
				import com.baomidou.lock.annotation.Lock4j;
				import io.github.lockboot.annotation.DistributedLock;

				class Orders {

					static final int WAIT = 1000;

					@Lock4j(failStrategy = DefaultLockFailureStrategy.class)
					public void strategy() {
					}

					@Lock4j(acquireTimeout = 2 * WAIT)
					public void expression() {
					}

					@Lock4j(expire = 2 * WAIT)
					public void expiry() {
					}

					@Lock4j(autoRelease = false)
					public void defaultExpiry() {
					}

					@DistributedLock(name = "both")
					@Lock4j(name = "both")
					public void both() {
					}

				}
				""";
		rewrites(before, before.replace("@Lock4j(failStrategy",
				"""
						/*~~(failStrategy has no equivalent, see https://github.com/lockboot/lock-spring-boot/blob/main/docs/migration.md#lock4j)~~>*/@Lock4j(failStrategy""")
			.replace("@Lock4j(acquireTimeout",
					"/*~~(acquireTimeout is not a number but an expression)~~>*/@Lock4j(acquireTimeout")
			.replace("@Lock4j(expire", "/*~~(expire is not a number but an expression)~~>*/@Lock4j(expire")
			.replace("@Lock4j(autoRelease",
					"/*~~(autoRelease = false without a number as expire: set minHoldTime by hand)~~>*/@Lock4j(autoRelease")
			.replace("@Lock4j(name",
					"/*~~(the method has a @DistributedLock already: remove @Lock4j when no old instance is left)~~>*/@Lock4j(name"));
	}

	@Test
	void locksOfTheTemplateBecomeHandles() {
		String before = """
				import com.baomidou.lock.LockInfo;
				import com.baomidou.lock.LockTemplate;
				import lombok.RequiredArgsConstructor;

				@RequiredArgsConstructor
				class Orders {

					private final LockTemplate lockTemplate;

					void pay(String id) {
						LockInfo lock = lockTemplate.lock("order:" + id, 60000L, 5000L);
						if (null == lock) {
							throw new IllegalStateException("busy");
						}
						try {
							System.out.println(lock.getLockKey());
						}
						finally {
							lockTemplate.releaseLock(lock);
						}
					}

					boolean cancel(String id, long timeout) {
						LockInfo lock = null;
						try {
							lock = this.lockTemplate.lock(id, 60000, timeout);
							return lock != null;
						}
						finally {
							this.lockTemplate.releaseLock(lock);
						}
					}

					boolean endless() {
						return lockTemplate.lock("endless", -1, 1000) != null;
					}

					void count() {
						LockInfo lock = lockTemplate.lock("count");
						if (lock != null) {
							lockTemplate.releaseLock(lock);
						}
					}

				}
				""";
		rewrites(before, before
			.replace("import com.baomidou.lock.LockInfo;\nimport com.baomidou.lock.LockTemplate;\n", """
					import io.github.lockboot.LockHandle;
					import io.github.lockboot.LockOperations;
					import io.github.lockboot.LockRequest;
					""")
			.replace("RequiredArgsConstructor;\n", "RequiredArgsConstructor;\n\nimport java.time.Duration;\n")
			.replace("LockTemplate lockTemplate", "LockOperations locks")
			.replace("LockInfo", "LockHandle")
			.replaceAll("lockTemplate\\.lock\\((.*), (\\d+L?), (\\w+)\\)",
					"locks.tryAcquire(LockRequest.of($1).waitTime(Duration.ofMillis($3)).maxHoldTime(Duration.ofMillis($2)))")
			.replace("lockTemplate.lock(\"endless\", -1, 1000)",
					"locks.tryAcquire(LockRequest.of(\"endless\").waitTime(Duration.ofMillis(1000)))")
			.replace("lockTemplate.lock(\"count\")", "locks.tryAcquire(LockRequest.of(\"count\"))")
			.replace("lock.getLockKey()", "lock.name()")
			.replace("this.lockTemplate.releaseLock(lock)", "if (lock != null) lock.close()")
			.replace("lockTemplate.releaseLock(lock)", "lock.close()"));
	}

	@Test
	void locksOfAnExecutorStayWithTheReason() {
		String before = """
				import com.baomidou.lock.LockInfo;
				import com.baomidou.lock.LockTemplate;
				import com.baomidou.lock.executor.LockExecutor;

				class Orders {

					private final LockTemplate template;

					Orders(LockTemplate template) {
						this.template = template;
					}

					boolean pay() {
						LockInfo lock = this.template.lock("order", 1000, 1000, LockExecutor.class);
						return this.template.releaseLock(lock);
					}

				}
				""";
		rewrites(before, before.replace("= this", "= /*~~(LockOperations has one store, and no executor)~~>*/this")
			.replace("return this", "return /*~~(LockHandle.close() returns nothing)~~>*/this"));
	}

	@Test
	void whereLock4jUsesRedissonACommentTellsThatHandlesAreNotReEntrant() {
		String before = """
				import com.baomidou.lock.LockInfo;
				import com.baomidou.lock.LockTemplate;

				class Orders {

					private final LockTemplate template;

					Orders(LockTemplate template) {
						this.template = template;
					}

					LockInfo pay() {
						return this.template.lock("pay");
					}

					LockInfo cancel() {
						return this.template.lock("cancel");
					}

				}
				""";
		String after = before
			.replace("import com.baomidou.lock.LockInfo;\nimport com.baomidou.lock.LockTemplate;\n", """
					import io.github.lockboot.LockHandle;
					import io.github.lockboot.LockOperations;
					import io.github.lockboot.LockRequest;
					""")
			.replace("LockTemplate template", "LockOperations locks")
			.replace("this.template = template", "this.locks = locks")
			.replace("LockInfo", "LockHandle")
			.replaceAll("this.template.lock\\((.*)\\)", "this.locks.tryAcquire(LockRequest.of($1))")
			.replaceFirst("return ", "return %s");
		rewrites(before, after.formatted(""));
		rewriteRun((spec) -> spec.recipe(new ReplaceLockTemplate()),
				text("implementation 'com.baomidou:lock4j-redisson-spring-boot-starter:2.2.7'",
						(spec) -> spec.path("build.gradle")),
				java(before, after.formatted("/*~~(the lock of Lock4j with Redisson was re-entrant, a handle is not: "
						+ "a thread that holds the lock gets null, for nested calls use tryExecute)~~>*/")));
	}

}
