package io.github.lockboot.rewrite;

import org.junit.jupiter.api.Test;

class ReplaceLockRegistryTests extends RecipeTests {

	ReplaceLockRegistryTests() {
		super("FromSpringIntegration");
	}

	@Test
	void aRegistryThatOnlyObtainsLocksBecomesLockOperations() {
		String before = """
				import java.util.concurrent.locks.Lock;

				import org.springframework.integration.support.locks.LockRegistry;

				class Inventory {

					private final LockRegistry<?> registry;

					private final Lock all;

					Inventory(LockRegistry<?> registry) {
						this.registry = registry;
						this.all = registry.obtain("inventory");
					}

					Lock of(String item) {
						return this.registry.obtain("inventory:" + item);
					}

				}
				""";
		rewrites(before, before
			.replace("org.springframework.integration.support.locks.LockRegistry", "io.github.lockboot.LockOperations")
			.replace("LockRegistry<?> registry", "LockOperations locks")
			.replace("this.registry = registry", "this.locks = locks")
			.replace("registry.obtain", "locks.asLock"));
	}

	@Test
	void registriesOfAStoreAreReplacedAndAnotherUseKeepsTheRegistryWithAComment() {
		String before = """
				import java.util.concurrent.TimeUnit;
				import java.util.concurrent.locks.Lock;

				import org.springframework.beans.factory.annotation.Autowired;
				import org.springframework.integration.redis.util.RedisLockRegistry;

				class Inventory {

					@Autowired
					private RedisLockRegistry registry;

					boolean count(Integer item) throws InterruptedException {
						Lock lock = registry.obtain(item);
						if (!lock.tryLock(3, TimeUnit.SECONDS)) {
							return false;
						}
						try {
							return item > 1;
						}
						finally {
							lock.unlock();
						}
					}

					void clean() {
						this.registry.expireUnusedOlderThan(1000);
					}

				}
				""";
		rewrites(before, before
			.replace("import org.springframework.beans",
					"import io.github.lockboot.LockOperations;\nimport org.springframework.beans")
			.replace("private RedisLockRegistry registry;", """
					private RedisLockRegistry registry;

						@Autowired
						private LockOperations locks;""")
			.replace("registry.obtain(item)", "locks.asLock(String.valueOf(item))")
			.replace("this.registry.expire",
					"/*~~(the locks of LockOperations are not in this registry, whose own locks do not exclude their holders)~~>*/this.registry.expire"));
	}

	@Test
	void otherRegistriesStayWithTheReason() {
		String before = """
				import java.util.concurrent.locks.Lock;

				import org.springframework.integration.support.locks.DefaultLockRegistry;
				import org.springframework.integration.support.locks.DistributedLock;
				import org.springframework.integration.support.locks.LockRegistry;

				class Inventory {

					private final LockRegistry<DistributedLock> injected;

					private final LockRegistry<?> local = new DefaultLockRegistry();

					Inventory(LockRegistry<DistributedLock> registry) {
						this.injected = registry;
					}

					DistributedLock of(String item) {
						return this.injected.obtain("inventory:" + item);
					}

					Lock here(String item) {
						return this.local.obtain(item);
					}

				}
				""";
		rewrites(before, before
			.replace("return this.injected",
					"return /*~~(the lock is used as a type other than Lock)~~>*/this.injected")
			.replace("return this.local",
					"return /*~~(the registry is not injected into this class: inject LockOperations by hand)~~>*/this.local"));
	}

}
