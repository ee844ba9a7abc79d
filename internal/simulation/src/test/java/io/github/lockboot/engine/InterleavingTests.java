package io.github.lockboot.engine;

import java.util.List;

import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What threads share, with random calls of two threads in many orders of their steps, by
 * Lincheck: the results have to be those of one call after the other. Only with
 * {@code -Dsimulation=night}, because Lincheck needs 8 s of CPU before it begins.
 */
@NullMarked
@EnabledIfSystemProperty(named = "simulation", matches = "night")
class InterleavingTests {

	/** The name in front of classes whose calls are one step. */
	private static final List<String> WHOLE = List.of("java.util.concurrent.ConcurrentHashMap", "java.util.Linked",
			"java.util.Hash", "java.util.Collections", "org.apache.", "org.springframework.",
			"io.github.lockboot.engine.OneLockStore", "io.github.lockboot.engine.StandingClock",
			"io.github.lockboot.engine.ActivityLog", "io.github.lockboot.engine.store.");

	@Test
	void eachEndOfAHoldIsReportedOnce() {
		check(HoldCalls.class, HoldCalls.Specification.class);
	}

	@Test
	void atMostOneCallerHoldsALockAndWaitersGetItInTheirOrder() {
		check(QueueCalls.class, QueueCalls.Specification.class);
	}

	private static void check(Class<?> calls, Class<?> specification) {
		new ModelCheckingOptions().threads(2)
			.actorsPerThread(3)
			.actorsBefore(0)
			.actorsAfter(0)
			.iterations(Integer.getInteger("simulation.scenarios", 50))
			.invocationsPerIteration(Integer.getInteger("simulation.orders", 1_000))
			.sequentialSpecification(specification)
			.addGuarantee(
					ManagedStrategyGuaranteeKt.forClasses(InterleavingTests::isWhole).allMethods().treatAsAtomic())
			.check(calls);
	}

	private static boolean isWhole(String name) {
		return WHOLE.stream().anyMatch(name::startsWith);
	}

}
