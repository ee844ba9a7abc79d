package io.github.lockboot.rewrite;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplaceRedissonLockTests extends RecipeTests {

	ReplaceRedissonLockTests() {
		super("FromRedisson");
	}

	@Test
	void sectionsAreExecutedAndTheClientBecomesLockOperations() {
		rewrites("""
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
				""", """
				import io.github.lockboot.LockOperations;

				import java.io.IOException;

				class Payments {

					private final LockOperations redisson;

					Payments(LockOperations redisson) {
						this.redisson = redisson;
					}

					void pay(String id) throws IOException {
						check(id);

						// the lock of the order
						// one at a time
						this.redisson.execute("order:" + id, () -> {
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
						});
						check(id);
					}

					int count(int start) {
						return redisson.execute("count", () -> {
							int sum = start;
							sum++;
							if (sum > 5) {
								return 5;
							}
							return sum;
						});
					}

					private void check(String id) throws IOException {
						if (id.isEmpty()) {
							throw new IOException();
						}
					}

				}
				""");
	}

	@Test
	void aFieldOfLockOperationsIsUsedIfThereIsOne() {
		rewrites("""
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
				""", """
				import io.github.lockboot.LockOperations;
				import org.redisson.api.RedissonClient;

				class Payments {

					private RedissonClient redisson;

					private LockOperations locks;

					void pay() {
						this.locks.execute("order", () -> {
							this.redisson.getBucket("paid").set(true);
						});
					}

				}
				""");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					lock.lock(); | while (true) { work(); break outer; } | a break or continue leaves the section
					lock.lock(); | if (n > 1) return 2; work(); | the section returns a value only sometimes
					lock.lock(); | return 'a'; | the section returns another type than the method
					lock.lock(); | n++; work(); | the section uses a local variable that is assigned more than once: n
					lock.lock(); | throw new IllegalStateException(); | the section always throws
					lock.lock(5, TimeUnit.SECONDS); | work(); | not followed by lock(); try { ... } finally { unlock(); } and nothing else
					lock.lock(); | System.out.println(lock); | not followed by lock(); try { ... } finally { unlock(); } and nothing else
					lock.lock(); | work(); this.redisson.shutdown(); | RedissonClient is used for something else, too: add a field of type LockOperations, and run the recipe again
					""",
			quoteCharacter = '`')
	void otherSectionsStayWithTheReason(String lock, String section, String reason) {
		String before = """
				import java.util.concurrent.TimeUnit;

				import org.redisson.api.RLock;
				import org.redisson.api.RedissonClient;

				class Payments {

					private RedissonClient redisson;

					int pay(int n) {
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
		rewrites(before, before.replace("= this.redisson.getLock", "= /*~~(" + reason + ")~~>*/this.redisson.getLock"));
	}

}
