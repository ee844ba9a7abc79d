package io.github.lockboot.rewrite;

import org.junit.jupiter.api.Test;

class ReplaceLockRegistryTests extends RecipeTests {

	ReplaceLockRegistryTests() {
		super("FromSpringIntegration");
	}

	@Test
	void aRegistryThatOnlyObtainsLocksBecomesLockOperations() {
		rewrites("""
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
				""", """
				import io.github.lockboot.LockOperations;

				import java.util.concurrent.locks.Lock;

				class Inventory {

					private final LockOperations registry;

					private final Lock all;

					Inventory(LockOperations registry) {
						this.registry = registry;
						this.all = registry.asLock("inventory");
					}

					Lock of(String item) {
						return this.registry.asLock("inventory:" + item);
					}

				}
				""");
	}

	@Test
	void aRegistryWithAnotherUseStaysWithTheReason() {
		rewrites("""
				import java.util.concurrent.locks.Lock;

				import org.springframework.integration.support.locks.LockRegistry;

				class Inventory {

					private final LockRegistry<?> registry;

					Inventory(LockRegistry<?> registry) {
						this.registry = registry;
					}

					Lock of(String item) {
						return this.registry.obtain("inventory:" + item);
					}

					Lock of(Integer item) {
						return this.registry.obtain(item);
					}

				}
				""", """
				import java.util.concurrent.locks.Lock;

				import org.springframework.integration.support.locks.LockRegistry;

				class Inventory {

					private final LockRegistry<?> registry;

					Inventory(LockRegistry<?> registry) {
						this.registry = registry;
					}

					Lock of(String item) {
						return /*~~(REASON)~~>*/this.registry.obtain("inventory:" + item);
					}

					Lock of(Integer item) {
						return /*~~(REASON)~~>*/this.registry.obtain(item);
					}

				}
				""".replace("REASON", "the registry is used in another way, too, than obtain with a string "
				+ "from a private field or a parameter of a constructor"));
	}

}
