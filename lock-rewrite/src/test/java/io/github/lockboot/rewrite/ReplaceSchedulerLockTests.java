package io.github.lockboot.rewrite;

import org.junit.jupiter.api.Test;

class ReplaceSchedulerLockTests extends RecipeTests {

	private static final String SCHEDULED_LOCK = "io.github.lockboot.annotation.ScheduledLock";

	ReplaceSchedulerLockTests() {
		super("FromShedLock");
	}

	@Test
	void annotationsBecomeScheduledLocksWithTheSameTimes() {
		String before = """
				import net.javacrumbs.shedlock.core.LockAssert;
				import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;

				class Reports {

					@SchedulerLock(name = "report", lockAtMostFor = "PT2H", lockAtLeastFor = "${report.least}")
					public void send() {
						LockAssert.assertLocked();
						System.out.println("report");
					}

					@SchedulerLock(name = "clean", lockAtMostFor = "10m")
					public void clean() {
					}

				}
				""";
		rewrites(before,
				before.replaceFirst("import .*\n", "")
					.replace("net.javacrumbs.shedlock.spring.annotation.SchedulerLock", SCHEDULED_LOCK)
					.replace("\t\tLockAssert.assertLocked();\n", "")
					.replace("@SchedulerLock", "@ScheduledLock")
					.replace("lockAtMostFor = \"PT2H\", lockAtLeastFor = \"${report.least}\"",
							"minHoldTime = \"${report.least}\", maxHoldTime = \"PT2H\"")
					.replace("lockAtMostFor = \"10m\"", "minHoldTime = \"0\", maxHoldTime = \"10m\""));
	}

	@Test
	void defaultsExpressionsAndExtensionsAreTranslated() {
		String before = """
				import java.time.Duration;

				import net.javacrumbs.shedlock.core.LockExtender;
				import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
				import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;

				@EnableSchedulerLock(defaultLockAtMostFor = "10m", defaultLockAtLeastFor = "5s")
				class Reports {

					@SchedulerLock(name = "bare", lockAtLeastFor = "5000")
					public void bare() {
					}

					@SchedulerLock(name = "report", lockAtMostFor = "PT1M")
					public void send() {
						LockExtender.extendActiveLock(Duration.ofMinutes(1), Duration.ZERO);
						System.out.println(Duration.ZERO);
					}

					@SchedulerLock(name = "tenant-#{#tenant}", lockAtLeastFor = "1m")
					public void clean(String tenant) {
					}

				}
				""";
		rewrites(before, before.replace("import net.javacrumbs.shedlock.core.LockExtender;", """
				import io.github.lockboot.annotation.DistributedLock;
				import io.github.lockboot.annotation.OnNotAcquired;
				import %s;""".formatted(SCHEDULED_LOCK))
			.replace("import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;\n", "")
			.replace("\t\tLockExtender.extendActiveLock(Duration.ofMinutes(1), Duration.ZERO);\n", "")
			.replace("@SchedulerLock(name = \"tenant-#{#tenant}\", lockAtLeastFor = \"1m\"",
					"@DistributedLock(key = \"tenant-#{#tenant}\", minHoldTime = \"1m\", maxHoldTime = \"10m\", waitTime = \"0\", onNotAcquired = OnNotAcquired.SKIP")
			.replace("@SchedulerLock", "@ScheduledLock")
			.replace("lockAtLeastFor = \"5000\"", "minHoldTime = \"5000ms\", maxHoldTime = \"10m\"")
			.replace("lockAtMostFor = \"PT1M\"", "minHoldTime = \"5s\""));
	}

	@Test
	void otherAnnotationsStayWithTheReason() {
		String before = """
				import io.github.lockboot.annotation.ScheduledLock;
				import net.javacrumbs.shedlock.core.LockAssert;
				import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;

				class Reports {

					@ScheduledLock(name = "both", minHoldTime = "1s")
					@SchedulerLock(name = "both")
					public void both() {
						LockAssert.assertLocked();
					}

				}
				""";
		rewrites(before, before.replace("@SchedulerLock(",
				"/*~~(the method has a @ScheduledLock already: remove @SchedulerLock when no old instance is left)~~>*/@SchedulerLock("));
	}

	@Test
	void callsInOtherMethodsAndExpressionsGetAComment() {
		String before = """
				import java.time.Duration;

				import net.javacrumbs.shedlock.core.LockAssert;
				import net.javacrumbs.shedlock.core.LockExtender;
				import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;

				class Reports {

					@SchedulerLock(name = "report", lockAtLeastFor = "1m")
					public void send() {
						LockAssert.assertLocked();
						Runnable later = () -> LockExtender.extendActiveLock(Duration.ZERO, Duration.ZERO);
						write(later);
					}

					private void write(Runnable later) {
						LockAssert.assertLocked();
					}

				}
				""";
		String comment = "/*~~(fails without ShedLock's lock: use LockOperations.ensureHeld)~~>*/";
		rewrites(before,
				before.replaceFirst("\t\tLockAssert.assertLocked\\(\\);\n", "")
					.replace("import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;\n", "")
					.replace("import net.javacrumbs.shedlock.core.LockAssert",
							"import " + SCHEDULED_LOCK + ";\nimport net.javacrumbs.shedlock.core.LockAssert")
					.replace("@SchedulerLock(name = \"report\", lockAtLeastFor",
							"@ScheduledLock(name = \"report\", minHoldTime")
					.replace("-> LockExtender", "-> " + comment + "LockExtender")
					.replace("\t\tLockAssert", "\t\t" + comment + "LockAssert"));
	}

}
