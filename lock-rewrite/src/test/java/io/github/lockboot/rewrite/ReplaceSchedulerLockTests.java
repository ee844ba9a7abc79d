package io.github.lockboot.rewrite;

import org.junit.jupiter.api.Test;

class ReplaceSchedulerLockTests extends RecipeTests {

	ReplaceSchedulerLockTests() {
		super("FromShedLock");
	}

	@Test
	void annotationsBecomeScheduledLocksIfTheyHaveAShortestHold() {
		rewrites("""
				import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;

				class Reports {

					@SchedulerLock(name = "report", lockAtMostFor = "PT2H", lockAtLeastFor = "${report.least}")
					public void send() {
					}

					@SchedulerLock(name = "clean", lockAtLeastFor = "1m")
					public void clean() {
					}

				}
				""", """
				import io.github.lockboot.annotation.ScheduledLock;

				class Reports {

					@ScheduledLock(name = "report", minHoldTime = "${report.least}", maxHoldTime = "PT2H")
					public void send() {
					}

					@ScheduledLock(name = "clean", minHoldTime = "1m")
					public void clean() {
					}

				}
				""");
	}

	@Test
	void annotationsWithoutEquivalentStayWithTheReason() {
		rewrites("""
				import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;

				class Reports {

					@SchedulerLock(name = "report", lockAtMostFor = "PT2H")
					public void send() {
					}

					@SchedulerLock(name = "tenant-#{#tenant}", lockAtLeastFor = "1m")
					public void clean(String tenant) {
					}

				}
				""",
				"""
						import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;

						class Reports {

							/*~~(no lockAtLeastFor, but minHoldTime is required: longer than the clocks of the instances differ)~~>*/@SchedulerLock(name = "report", lockAtMostFor = "PT2H")
							public void send() {
							}

							/*~~(the name is an expression: use @DistributedLock with a key)~~>*/@SchedulerLock(name = "tenant-#{#tenant}", lockAtLeastFor = "1m")
							public void clean(String tenant) {
							}

						}
						""");
	}

}
