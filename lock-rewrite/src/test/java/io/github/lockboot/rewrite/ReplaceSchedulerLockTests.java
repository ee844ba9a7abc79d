package io.github.lockboot.rewrite;

import org.junit.jupiter.api.Test;

class ReplaceSchedulerLockTests extends RecipeTests {

	ReplaceSchedulerLockTests() {
		super("FromShedLock");
	}

	@Test
	void annotationsBecomeScheduledLocksWithTheSameTimes() {
		rewrites("""
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
				""", """
				import io.github.lockboot.annotation.ScheduledLock;

				class Reports {

					@ScheduledLock(name = "report", minHoldTime = "${report.least}", maxHoldTime = "PT2H")
					public void send() {
						System.out.println("report");
					}

					@ScheduledLock(name = "clean", minHoldTime = "0", maxHoldTime = "10m")
					public void clean() {
					}

				}
				""");
	}

	@Test
	void defaultsExpressionsAndExtensionsAreTranslated() {
		rewrites("""
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
				""",
				"""
						import java.time.Duration;

						import io.github.lockboot.annotation.DistributedLock;
						import io.github.lockboot.annotation.OnNotAcquired;
						import io.github.lockboot.annotation.ScheduledLock;
						import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;

						@EnableSchedulerLock(defaultLockAtMostFor = "10m", defaultLockAtLeastFor = "5s")
						class Reports {

							@ScheduledLock(name = "bare", minHoldTime = "5000ms", maxHoldTime = "10m")
							public void bare() {
							}

							@ScheduledLock(name = "report", minHoldTime = "5s")
							public void send() {
								System.out.println(Duration.ZERO);
							}

							@DistributedLock(key = "tenant-#{#tenant}", minHoldTime = "1m", maxHoldTime = "10m", waitTime = "0", onNotAcquired = OnNotAcquired.SKIP)
							public void clean(String tenant) {
							}

						}
						""");
	}

	@Test
	void otherAnnotationsStayWithTheReason() {
		rewrites("""
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
				""",
				"""
						import io.github.lockboot.annotation.ScheduledLock;
						import net.javacrumbs.shedlock.core.LockAssert;
						import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;

						class Reports {

							@ScheduledLock(name = "both", minHoldTime = "1s")
							/*~~(the method has a @ScheduledLock already: remove @SchedulerLock when no old instance is left)~~>*/@SchedulerLock(name = "both")
							public void both() {
								LockAssert.assertLocked();
							}

						}
						""");
	}

	@Test
	void callsInOtherMethodsAndExpressionsGetAComment() {
		rewrites("""
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
				""",
				"""
						import java.time.Duration;

						import io.github.lockboot.annotation.ScheduledLock;
						import net.javacrumbs.shedlock.core.LockAssert;
						import net.javacrumbs.shedlock.core.LockExtender;

						class Reports {

							@ScheduledLock(name = "report", minHoldTime = "1m")
							public void send() {
								Runnable later = () -> /*~~(fails without ShedLock's lock: use LockOperations.ensureHeld)~~>*/LockExtender.extendActiveLock(Duration.ZERO, Duration.ZERO);
								write(later);
							}

							private void write(Runnable later) {
								/*~~(fails without ShedLock's lock: use LockOperations.ensureHeld)~~>*/LockAssert.assertLocked();
							}

						}
						""");
	}

}
