package io.github.lockboot.rewrite;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.local.LocalLockTemplate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

class ReplaceRedissonLockTests extends RecipeTests {

	private static final String ORDERS = """
			import java.util.concurrent.TimeUnit;

			import lombok.RequiredArgsConstructor;
			import org.redisson.api.RLock;
			import org.redisson.api.RedissonClient;

			@RequiredArgsConstructor
			public class Orders {

				private final RedissonClient redisson;

				public String reserve() {
					RLock lock = redisson.getLock("order");
					try {
						boolean available = lock.tryLock(0, 60, TimeUnit.SECONDS);
						if (!available) {
							return lock.getName() + " is busy";
						}
						return "reserved";
					}
					catch (InterruptedException ex) {
						Thread.currentThread().interrupt();
						throw new IllegalStateException(ex);
					}
					finally {
						if (lock.isHeldByCurrentThread()) {
							lock.unlock();
						}
					}
				}

				public String flag() {
					RLock lock = redisson.getLock("order");
					boolean locked = false;
					try {
						locked = lock.tryLock(0, -1, TimeUnit.SECONDS);
						return locked ? "reserved" : "order is busy";
					}
					catch (InterruptedException ex) {
						return "interrupted";
					}
					finally {
						if (locked) {
							lock.unlock();
						}
					}
				}

				public String either() {
					final RLock lock = this.redisson.getFairLock("order");
					if (lock.tryLock()) {
						try {
							return "reserved";
						}
						finally {
							if (lock.isLocked() && lock.isHeldByCurrentThread()) {
								lock.unlock();
							}
						}
					}
					else {
						return "order is busy";
					}
				}

				public String both() {
					RLock first = redisson.getLock("first");
					RLock both = redisson.getMultiLock(first, redisson.getLock("order"));
					if (!both.tryLock()) {
						return "order is busy";
					}
					try {
						return "reserved";
					}
					finally {
						both.unlock();
					}
				}

				public String write() {
					RLock lock = redisson.getReadWriteLock("order").writeLock();
					if (!lock.tryLock()) {
						return "order is busy";
					}
					try {
						lock.lock(60, TimeUnit.SECONDS);
						lock.unlock();
						return "reserved";
					}
					finally {
						lock.unlock();
					}
				}

			}
			""";

	private static final String ORDERS_AFTER = ORDERS
		.replace(
				"import lombok.RequiredArgsConstructor;\nimport org.redisson.api.RLock;\n"
						+ "import org.redisson.api.RedissonClient;\n",
				"import io.github.lockboot.LockOperations;\nimport io.github.lockboot.LockRequest;\n"
						+ "import lombok.RequiredArgsConstructor;\n")
		.replace("RedissonClient redisson", "LockOperations locks")
		.replace("RLock ", "LockOperations.LeasedLock ")
		.replace("redisson.getFairLock(\"order\")", "locks.asLock(LockRequest.of(\"order\").fair(true))")
		.replace("redisson.getMultiLock(first, redisson.getLock(\"order\"))",
				"locks.asLock(LockRequest.allOf(first.name(), \"order\"))")
		.replace("redisson.getReadWriteLock(\"order\").writeLock()", "locks.asLock(LockRequest.of(\"order\"))")
		.replace("redisson.getLock(", "locks.asLock(")
		.replace("lock.getName()", "lock.name()");

	ReplaceRedissonLockTests() {
		super("FromRedisson");
	}

	@Test
	void sectionsAreExecutedAndTheClientBecomesLockOperations() {
		String before = """
				import java.io.IOException;

				import org.redisson.api.RLock;
				import org.redisson.api.RedissonClient;

				class Payments {

					private final RedissonClient redisson;

					Payments(RedissonClient redisson) {
						this.redisson = redisson;
					}

					void pay(String id) throws IOException {
						check(id);

						// the lock of the order
						RLock lock = this.redisson.getLock("order:" + id);
						lock.lock();
						// one at a time
						try {
							for (int i = 0; i < 3; i++) {
								if (i == 2) {
									break;
								}
								check(id);
							}
							Runnable later = () -> {
								return;
							};
							later.run();
						}
						finally {
							lock.unlock();
						}
						check(id);
					}

					int count(int start) {
						RLock lock = redisson.getLock("count");
						lock.lock();
						try {
							int sum = start;
							sum++;
							if (sum > 5) {
								return 5;
							}
							return sum;
						}
						finally {
							if (lock.isHeldByCurrentThread()) {
								lock.unlock();
							}
						}
					}

					private void check(String id) throws IOException {
						if (id.isEmpty()) {
							throw new IOException();
						}
					}

				}
				""";
		rewrites(before,
				executed(before).replace("import java.io.IOException;\n", """
						import java.io.IOException;
						import java.time.Duration;
						""")
					.replace("org.redisson.api.RLock", "io.github.lockboot.LockOperations")
					.replace("org.redisson.api.RedissonClient", "io.github.lockboot.LockRequest")
					.replace("RedissonClient redisson", "LockOperations locks")
					.replace("this.redisson = redisson", "this.locks = locks")
					.replace("\t\tlocks.execute", "\t\treturn locks.execute"));
	}

	/** Return a program whose sections are executed. */
	private static String executed(String program) {
		return program.replaceAll(
				"(?s)\t\tR?Lock lock = (this\\.)?redisson\\.getLock\\((.*?)\\);\n\t\tlock\\.lock\\(\\);\n(\t\t//[^\n]*\n)?"
						+ "\t\ttry \\{\n(.*?)\t\t\\}\n\t\tfinally \\{\n.*?\n\t\t\\}\n",
				"$3\t\t$1locks.execute(LockRequest.of($2).waitTime(Duration.ofDays(365)), () -> {\n$4\t\t});\n");
	}

	@ParameterizedTest
	@CsvSource({ "getSemaphore", "getPermitExpirableSemaphore", "getCountDownLatch" })
	void otherObjectsThatCallersWaitForGetAComment(String method) {
		String program = """
				import org.redisson.api.RedissonClient;

				class Suppliers {

					private final RedissonClient redisson;

					Suppliers(RedissonClient redisson) {
						this.redisson = redisson;
					}

					Object ask() {
						return %sredisson.getSemaphore("supplier");
					}

				}
				""".replace("getSemaphore", method);
		rewrites(program.formatted(""), program.formatted(
				"/*~~(no recipe: locks.semaphore(name, permits) is a semaphore whose permits each caller names; there is no"
						+ " latch)~~>*/"));
	}

	@Test
	void triesThatLeaveTheMethodBecomeSectionsWithTheTimesOfTheCall() {
		String before = """
				import java.util.concurrent.TimeUnit;

				import org.redisson.api.RLock;
				import org.redisson.api.RedissonClient;
				import org.springframework.beans.factory.annotation.Autowired;

				class Payments {

					@Autowired
					private RedissonClient redisson;

					void pay(String id) throws InterruptedException {
						RLock lock = this.redisson.getLock("order:" + id);
						if (!lock.tryLock(3, TimeUnit.SECONDS)) {
							throw new IllegalStateException("busy");
						}
						try {
							work();
						}
						finally {
							lock.unlock();
						}
					}

					void once() {
						RLock lock = redisson.getFairLock("once");
						boolean locked = lock.tryLock();
						if (!locked) {
							return;
						}
						try {
							work();
						}
						finally {
							if (lock.isLocked() && lock.isHeldByCurrentThread()) {
								lock.unlock();
							}
						}
					}

					boolean limited() throws Exception {
						RLock lock = redisson.getLock("limited");
						if (!lock.tryLock(1, 60, TimeUnit.SECONDS)) {
							return false;
						}
						try {
							work();
						}
						finally {
							lock.unlock();
						}
						return true;
					}

					void watched() throws InterruptedException {
						RLock lock = redisson.getLock("watched");
						if (!lock.tryLock(1, -1, TimeUnit.SECONDS)) {
							return;
						}
						try {
							work();
						}
						finally {
							lock.unlock();
						}
					}

					String read() {
						RLock lock = redisson.getReadWriteLock("catalogue").readLock();
						lock.lock(500, TimeUnit.MILLISECONDS);
						try {
							return "read";
						}
						finally {
							lock.unlock();
						}
					}

					private void work() {
					}

				}
				""";
		rewrites(before, before.replaceAll(
				"(?s)(\t\tboolean locked = [^;]*;\n)?\t\tif \\(!(locked|lock\\.tryLock\\([^\n]*\\))\\) (\\{.*?\n\t\t\\})\n"
						+ "\t\ttry \\{\n(.*?)\t\t\\}\n\t\tfinally \\{\n.*?\n\t\t\\}\n",
				"\t\tif (!TRY, () -> {\n$4\t\t})) $3\n")
			.replaceAll(
					"(?s)\t\tRLock lock = redisson.getReadWriteLock.*?\n\t\ttry(.*?)\t\t}\n\t\tfinally .*?\n\t\t}\n",
					"\t\treturn locks.execute(LockRequest.of(\"catalogue\").shared().waitTime(Duration.ofDays(365)).maxHoldTime(Duration.ofMillis(500)), () ->$1\t\t});\n")
			.replaceAll("(?s)\t\tRLock lock = (this\\.)?redisson\\.get(Fair)?Lock\\((.*?)\\);\n\t\tif \\(!TRY",
					"\t\tif (!$1locks.tryExecute(LockRequest.of($3)TIMES$2")
			.replaceFirst("TIMES", ".waitTime(Duration.ofSeconds(3))")
			.replaceFirst("TIMESFair", ".fair(true).waitTime(Duration.ZERO)")
			.replaceFirst("TIMES", ".waitTime(Duration.ofSeconds(1)).maxHoldTime(Duration.ofSeconds(60))")
			.replaceFirst("TIMES", ".waitTime(Duration.ofSeconds(1))")
			.replace("RedissonClient redisson", "LockOperations locks")
			.replaceFirst("(?s)import .*RedissonClient;\n", """
					import java.time.Duration;

					import io.github.lockboot.LockOperations;
					import io.github.lockboot.LockRequest;
					"""));
	}

	@Test
	void allOtherShapesBecomeLeasedLocksAndRun(@TempDir Path directory) throws Exception {
		Class<?> program = rewritten(ORDERS, ORDERS_AFTER, "Orders", directory);
		LockDefaults defaults = LockDefaults.defaults();
		try (LocalLockTemplate locks = new LocalLockTemplate(defaults, List.of())) {
			Constructor<?> constructor = program.getConstructor(LockOperations.class);
			Object orders = constructor.newInstance(locks);
			for (String name : List.of("reserve", "flag", "either", "both", "write")) {
				Method method = program.getMethod(name);
				assertEquals("reserved", method.invoke(orders), name);
				assertFalse(locks.inspect("order").isHeld(), name);
				LockHandle other = CompletableFuture.supplyAsync(() -> locks.acquire("order")).join();
				assertEquals("order is busy", method.invoke(orders), name);
				other.close();
			}
		}
	}

	@Test
	void readWriteLocksAndArraysOfLocksAreTranslated() {
		String before = """
				import java.util.List;
				import java.util.concurrent.TimeUnit;
				import java.util.concurrent.locks.ReadWriteLock;

				import org.redisson.RedissonMultiLock;
				import org.redisson.api.RLock;
				import org.redisson.api.RReadWriteLock;
				import org.redisson.api.RedissonClient;

				class Catalogue {

					private final RLock write;

					private final RedissonClient redisson;

					Catalogue(RedissonClient redisson) {
						this.redisson = redisson;
						RReadWriteLock both = redisson.getReadWriteLock("catalogue");
						this.write = both.writeLock();
					}

					void read() {
						RReadWriteLock both = this.redisson.getReadWriteLock("catalogue");
						both.readLock().lock(10, TimeUnit.SECONDS);
						both.readLock().unlock();
						this.write.forceUnlock();
					}

					ReadWriteLock ofTheJdk() {
						ReadWriteLock lock = this.redisson.getReadWriteLock("jdk");
						return lock;
					}

					void all(List<String> names) {
						RLock[] each = new RLock[names.size()];
						for (int i = 0; i < each.length; i++) {
							each[i] = this.redisson.getLock(names.get(i));
						}
						RLock all = this.redisson.getMultiLock(each);
						RLock two = new RedissonMultiLock(this.write, all);
						two.lock();
						two.unlock();
					}

				}
				""";
		rewrites(before, before.replace("import java.util.List;", "import java.util.Arrays;\nimport java.util.List;")
			.replaceAll("(?s)import org.redisson.*RedissonClient;\n",
					"import io.github.lockboot.LockOperations;\nimport io.github.lockboot.LockRequest;\n")
			.replace("RedissonClient redisson", "LockOperations locks")
			.replace("this.redisson = redisson", "this.locks = locks")
			.replaceAll("RReadWriteLock both = .*", "LockRequest both = LockRequest.of(\"catalogue\");")
			.replace("both.writeLock()", "locks.asLock(both)")
			.replace("both.readLock()", "locks.asLock(both.shared())")
			.replace("this.write.forceUnlock()", "locks.forceRelease(this.write.name())")
			.replace("RLock", "LockOperations.LeasedLock")
			.replace("redisson.getReadWriteLock", "locks.asReadWriteLock")
			.replace("redisson.getLock", "locks.asLock")
			.replace("redisson.getMultiLock(each)",
					"locks.asLock(LockRequest.allOf(Arrays.stream(each).map(LockOperations.LeasedLock::name).toList()))")
			.replace("new RedissonMultiLock(this.write, all)",
					"/*~~(each of these has to be one lock, and exclusive: LockRequest.allOf takes names)~~>*/locks.asLock(LockRequest.allOf(this.write.name(), all.name()))"));
	}

	@Test
	void aClientWithOtherUsesStaysBesideTheNewField() {
		String before = """
				import org.redisson.api.RLock;
				import org.redisson.api.RedissonClient;

				class Payments {

					private final RedissonClient redisson;

					private final String prefix;

					Payments(RedissonClient redisson, String prefix) {
						this.redisson = redisson;
						this.prefix = prefix;
					}

					void pay(String id) {
						RLock lock = this.redisson.getLock(this.prefix + id);
						lock.lock();
						try {
							this.redisson.getBucket(id).set(true);
						}
						finally {
							lock.unlock();
						}
					}

				}
				""";
		rewrites(before,
				executed(before)
					.replace("import org.redisson.api.RLock;\nimport org.redisson.api.RedissonClient;\n", """
							import io.github.lockboot.LockOperations;
							import io.github.lockboot.LockRequest;
							import org.redisson.api.RedissonClient;

							import java.time.Duration;
							""")
					.replace("private final RedissonClient redisson;",
							"private final RedissonClient redisson;\n\n\tprivate final LockOperations locks;")
					.replace("RedissonClient redisson, ", "RedissonClient redisson, LockOperations locks, ")
					.replace("this.redisson = redisson;", "this.redisson = redisson;\n\t\tthis.locks = locks;"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			@Resource(name = "redissonClient") | @Resource
			@Autowired @Qualifier("redisson") | @Autowired
			@Autowired @Lazy | @Autowired @Lazy
			""")
	void injectedFieldsBecomeLockOperations(String before, String after) {
		String program = """
				import jakarta.annotation.Resource;
				import org.redisson.api.RedissonClient;
				import org.springframework.beans.factory.annotation.*;
				import org.springframework.context.annotation.Lazy;

				class Payments {

					%s
					private RedissonClient redisson;

					boolean pay() {
						return this.redisson.getLock("pay").tryLock();
					}

				}
				""";
		rewrites(program.formatted(before),
				program.formatted(after)
					.replace("import jakarta", "import io.github.lockboot.LockOperations;\nimport jakarta")
					.replace("import org.redisson.api.RedissonClient;\n", "")
					.replace("RedissonClient redisson;", "LockOperations locks;")
					.replace("this.redisson.getLock", "this.locks.asLock"));
	}

	@Test
	void aFieldOfLockOperationsIsUsedIfThereIsOne() {
		String before = """
				import java.util.concurrent.locks.Lock;

				import io.github.lockboot.LockOperations;
				import org.redisson.api.RedissonClient;

				class Payments {

					private RedissonClient redisson;

					private LockOperations locks;

					void pay() {
						Lock lock = this.redisson.getLock("order");
						lock.lock();
						try {
							this.redisson.getBucket("paid").set(true);
						}
						finally {
							lock.unlock();
						}
					}

				}
				""";
		rewrites(before,
				executed(before).replace("java.util.concurrent.locks.Lock", "java.time.Duration")
					.replace("LockOperations;\nimport org",
							"LockOperations;\nimport io.github.lockboot.LockRequest;\nimport org"));
	}

	/** The compiler would not accept a lambda. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			lock.lock(); | while (true) { work(); break outer; }
			lock.lock(); | if (n > 1) return 2; work();
			lock.lock(); | return 'a';
			lock.lock(); | n++; work();
			lock.lock(); | throw new IllegalStateException();
			lock.lock(wait, TimeUnit.SECONDS); | work();
			lock.lock(); | System.out.println(lock);
			if (!lock.tryLock()) return 7; | return 8;
			""")
	void sectionsThatCannotBeLambdasKeepTheirStatements(String lock, String section) {
		String before = """
				import java.util.concurrent.TimeUnit;

				import org.redisson.api.RLock;
				import org.redisson.api.RedissonClient;
				import org.springframework.beans.factory.annotation.Autowired;

				class Payments {

					@Autowired
					private RedissonClient redisson;

					int pay(int n, long wait) {
						outer: for (int i = 0; i < n; i++) {
							RLock lock = this.redisson.getLock("order");
							%s
							try {
								%s
							}
							finally {
								lock.unlock();
							}
						}
						return 1;
					}

					private void work() {
					}

				}
				""".formatted(lock, section);
		rewrites(before,
				before
					.replace("RLock lock = this.redisson.getLock", "LockOperations.LeasedLock lock = this.locks.asLock")
					.replace("RedissonClient redisson", "LockOperations locks")
					.replace("""

							import org.redisson.api.RLock;
							import org.redisson.api.RedissonClient;
							import""", """

							import io.github.lockboot.LockOperations;
							import"""));
	}

	@Test
	void locksThatAreHandedOnChangeTheirTypeWithoutAClient() {
		String before = """
				import org.redisson.api.RLock;

				public class Locks {

					public static void run(RLock lock, Runnable section) {
						lock.lock();
						try {
							section.run();
						}
						finally {
							if (lock.isHeldByCurrentThread()) {
								lock.unlock();
							}
						}
					}

				}
				""";
		rewrites(before, before.replace("org.redisson.api.RLock", "io.github.lockboot.LockOperations")
			.replace("RLock lock", "LockOperations.LeasedLock lock"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					@Autowired | lock.unlockAsync() | LockOperations.LeasedLock has no method unlockAsync: see https://github.com/lockboot/lock-spring-boot/blob/main/docs/migration.md#redisson
					static | lock.unlock() | RedissonClient is not injected into this class: inject LockOperations by hand
					""")
	void otherLocksStayWithTheReason(String field, String call, String reason) {
		String before = """
				import org.redisson.api.RLock;
				import org.redisson.api.RedissonClient;
				import org.springframework.beans.factory.annotation.Autowired;

				class Payments {

					%s RedissonClient redisson;

					void pay() {
						RLock lock = redisson.getLock("order");
						%s;
					}

				}
				""".formatted(field, call);
		String comment = "/*~~(" + reason + ")~~>*/";
		String other = "/*~~(another lock of this file cannot be translated)~~>*/";
		rewrites(before, field.equals("static") ? before.replace("= redisson", "= " + comment + "redisson")
				: before.replace("= redisson", "= " + other + "redisson").replace(call, comment + call));
	}

}
