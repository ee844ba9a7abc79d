package io.github.lockboot.kotlin

import io.github.lockboot.LockLostException
import io.github.lockboot.LockNotAcquiredException
import io.github.lockboot.LockRelease
import io.github.lockboot.LockRequest
import io.github.lockboot.OnLost
import io.github.lockboot.ReactiveLockOperations
import io.github.lockboot.fixture.RedisServer
import io.github.lockboot.fixture.RedisTest
import io.github.lockboot.redis.RedisLockSettings
import io.github.lockboot.redis.RedisLockTemplate
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.isActive
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.reactive.asFlow
import kotlinx.coroutines.reactor.asFlux
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.mono
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.springframework.data.redis.connection.RedisStandaloneConfiguration
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory
import java.util.concurrent.Executors
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration

/** Sections of coroutines, on a real Redis. `runBlocking` runs all coroutines of a test on one thread. */
@RedisTest
@Timeout(60)
class CoroutineLocksTests(private val redis: RedisServer) {

	private val template = template()

	private val other = template()

	private val locks = ReactiveLockOperations.of(template, OnLost.LOG)

	@AfterEach
	fun close() {
		template.close()
		other.close()
	}

	@Test
	fun nullIsAValueOfASection() = runBlocking<Unit> {
		assertThat(locks.withLock<String?>(NAME) { null }).isNull()
	}

	@Test
	fun sectionThatGoesOnInAnotherThreadKeepsItsLockAndReleasesIt() = runBlocking<Unit> {
		lateinit var first: Thread
		lateinit var last: Thread
		val held = withContext(Dispatchers.Unconfined) {
			locks.withLock(ONCE) {
				first = Thread.currentThread()
				// long enough to suspend: the section would go on in the same thread otherwise
				withContext(Dispatchers.IO) { delay(20) }
				last = Thread.currentThread()
				isHeld()
			}
		}
		assertThat(held).isTrue()
		assertThat(last).isNotSameAs(first)
		assertThat(isHeld()).isFalse()
	}

	@Test
	fun coroutinesOfOneThreadExcludeEachOther() = runBlocking<Unit> {
		val end = CompletableDeferred<Unit>()
		val first = launch { locks.withLock(ONCE) { end.await() } }
		eventually { isHeld() }
		assertThat(locks.withLockOrNull(ONCE) { "ran" }).isNull()
		end.complete(Unit)
		first.join()
		assertThat(locks.withLockOrNull(ONCE) { "ran" }).isEqualTo("ran")
	}

	@Test
	fun innerSectionReentersTheLockAndLeavesItToTheOuterOne() = runBlocking<Unit> {
		val held = locks.withLock(ONCE) {
			withContext(Dispatchers.Default) { locks.withLock(ONCE) { } }
			isHeld()
		}
		assertThat(held).isTrue()
	}

	@Test
	fun childrenOfASectionReenterItsLock() = runBlocking<Unit> {
		val held = locks.withLock(ONCE) { List(2) { async { locks.withLock(ONCE) { isHeld() } } }.awaitAll() }
		assertThat(held).containsExactly(true, true)
	}

	@Test
	fun lockIsHeldUntilTheChildrenOfItsSectionHaveEnded() = runBlocking<Unit> {
		val end = CompletableDeferred<Unit>()
		var held = false
		val section = launch {
			locks.withLock(ONCE) {
				launch {
					end.await()
					held = isHeld()
				}
			}
		}
		eventually { isHeld() }
		end.complete(Unit)
		section.join()
		assertThat(held).isTrue()
		assertThat(isHeld()).isFalse()
	}

	@Test
	fun coroutineThatOutlivesTheSectionNoLongerHasItsLock() = runBlocking<Unit> {
		val begin = CompletableDeferred<Unit>()
		lateinit var outliving: Deferred<String?>
		locks.withLock(ONCE) {
			outliving = CoroutineScope(coroutineContext.minusKey(Job)).async {
				begin.await()
				assertThat(runCatching { locks.heldLock(NAME) }.exceptionOrNull()).isInstanceOf(IllegalStateException::class.java)
				locks.withLockOrNull(ONCE) { "ran" }
			}
		}
		other.acquire(REQUEST).use {
			begin.complete(Unit)
			assertThat(outliving.await()).isNull()
		}
	}

	@Test
	fun pipelinesAndSectionsReenterEachOthersLock() = runBlocking<Unit> {
		val inPipeline = locks.execute(ONCE, mono { locks.withLock(ONCE) { isHeld() } })
		assertThat(locks.withLock(ONCE) { inPipeline.awaitSingle() }).isTrue()
	}

	@Test
	fun allValuesOfAFlowAreEmittedUnderItsLock() = runBlocking<Unit> {
		val values = flow { repeat(3) { emit(isHeld()) } }
		assertThat(locks.execute(ONCE, values.asFlux()).asFlow().toList()).containsExactly(true, true, true)
	}

	@Test
	fun failureOfASectionIsThrownAfterTheRelease() = runBlocking<Unit> {
		val failure = runCatching { locks.withLock(ONCE) { error("broken") } }.exceptionOrNull()
		assertThat(failure).isInstanceOf(IllegalStateException::class.java).hasMessage("broken")
		assertThat(isHeld()).isFalse()
	}

	@Test
	fun busyLockIsThrown() = runBlocking<Unit> {
		other.acquire(REQUEST).use {
			val failure = runCatching { locks.withLock(NAME, waitTime = Duration.ZERO) { } }.exceptionOrNull()
			assertThat(failure).isInstanceOf(LockNotAcquiredException::class.java)
		}
	}

	@Test
	fun busyLockOfTheSectionIsThrownByWithLockOrNull() = runBlocking<Unit> {
		other.acquire("inner").use {
			val failure = runCatching {
				locks.withLockOrNull(ONCE) { locks.withLock("inner", waitTime = Duration.ZERO) { } }
			}.exceptionOrNull()
			assertThat(failure).isInstanceOf(LockNotAcquiredException::class.java)
		}
	}

	@Test
	fun waitMayBeInfinite() = runBlocking<Unit> {
		assertThat(locks.withLockOrNull(NAME, waitTime = Duration.INFINITE) { "ran" }).isEqualTo("ran")
	}

	@Test
	fun cancelledWaitLeavesNothingInRedis() = runBlocking<Unit> {
		locks.withLock(ONCE) { }
		val keys = keys()
		other.acquire(REQUEST).use {
			val waiting = launch { locks.withLock(REQUEST) { error("must not run") } }
			eventually { waiters() == 1L }
			waiting.cancelAndJoin()
			eventually { waiters() == 0L }
		}
		eventually { keys() == keys }
	}

	@Test
	fun lockThatArrivesAfterTheCancellationIsReleased() = runBlocking<Unit> {
		val steps = Steps()
		val holder = other.acquire(REQUEST)
		val kept = REQUEST.minHoldTime(java.time.Duration.ofHours(1))
		val waiting = launch(steps) { locks.withLock(kept) { error("must not run") } }
		steps.tasks.take().run()
		eventually { waiters() == 1L }
		holder.close()
		val goOn = steps.tasks.take()
		assertThat(isHeld()).isTrue()
		waiting.cancel()
		goOn.run()
		eventually { !isHeld() }
	}

	@Test
	fun cancelledSectionKeepsItsLockUntilItHasEnded() = runBlocking<Unit> {
		var heldAtTheEnd = false
		val section = launch {
			locks.withLock(ONCE) {
				try {
					awaitCancellation()
				} finally {
					withContext(NonCancellable) {
						delay(1)
						heldAtTheEnd = isHeld()
					}
				}
			}
		}
		eventually { isHeld() }
		section.cancelAndJoin()
		assertThat(heldAtTheEnd).isTrue()
		assertThat(isHeld()).isFalse()
	}

	@Test
	fun coroutineThatWasCancelledBeforeSendsNothing() {
		val commands = redis.commandsDuring {
			runBlocking {
				launch {
					cancel()
					locks.withLock(ONCE) { }
				}
			}
		}
		assertThat(commands.of("evalsha") + commands.of("eval")).isZero()
	}

	@Test
	fun timeoutEndsTheWait() = runBlocking<Unit> {
		other.acquire(REQUEST).use {
			assertThat(withTimeoutOrNull(50.milliseconds) { locks.withLock(REQUEST) { "ran" } }).isNull()
			eventually { waiters() == 0L }
		}
	}

	@Test
	fun timeoutEndsTheSection() = runBlocking<Unit> {
		val result = withTimeoutOrNull(50.milliseconds) {
			locks.withLock(REQUEST) {
				delay(60.seconds)
				"ran"
			}
		}
		assertThat(result).isNull()
		eventually { !isHeld() }
	}

	@Test
	fun lossIsNoFailureByDefault() = runBlocking<Unit> {
		assertThat(locks.withLock(ONCE) { other.forceRelease(NAME) }).isTrue()
	}

	@Test
	fun lossIsThrownAfterTheSectionIfTheRequestSetsIt() = runBlocking<Unit> {
		var ended = false
		val failure = runCatching {
			locks.withLock(ONCE.onLost(OnLost.THROW)) {
				other.forceRelease(NAME)
				delay(1)
				ended = true
			}
		}.exceptionOrNull()
		assertThat(failure).isInstanceOf(LockLostException::class.java)
		assertThat(ended).isTrue()
	}

	@Test
	fun failureOfASectionCarriesTheLossAsSuppressed() = runBlocking<Unit> {
		val failure = runCatching {
			locks.withLock(ONCE.onLost(OnLost.THROW)) {
				other.forceRelease(NAME)
				error("broken")
			}
		}.exceptionOrNull()
		assertThat(failure).isInstanceOf(IllegalStateException::class.java)
		assertThat(failure!!.suppressed).hasAtLeastOneElementOfType(LockLostException::class.java)
	}

	@Test
	fun lossCancelsTheSectionButNotItsCallerIfTheRequestSetsIt() = runBlocking<Unit> {
		val locks = ReactiveLockOperations.of(template, OnLost.INTERRUPT)
		val failure = runCatching {
			locks.withLock(ONCE) {
				other.forceRelease(NAME)
				awaitCancellation()
			}
		}.exceptionOrNull()
		assertThat(failure).isInstanceOf(LockLostException::class.java)
		assertThat(isActive).isTrue()
	}

	@Test
	fun sectionHoldsAllLocksOfItsRequest() = runBlocking<Unit> {
		val held = locks.withLock(LockRequest.allOf("a", "b")) { other.inspect("a").isHeld && other.inspect("b").isHeld }
		assertThat(held).isTrue()
	}

	@ParameterizedTest
	@CsvSource("2147483647, true", "3, true", "2, true", "1, false")
	fun sectionsShareALockAsFarAsItsPermitsAllow(permits: Int, shared: Boolean) = runBlocking<Unit> {
		val end = CompletableDeferred<Unit>()
		val first = launch { locks.withLock(ONCE.permits(permits)) { end.await() } }
		eventually { isHeld() }
		val second = locks.withLockOrNull(ONCE.permits(permits)) { "ran" }
		end.complete(Unit)
		first.join()
		assertThat(second != null).isEqualTo(shared)
	}

	@Test
	fun sectionGetsTheFencingTokenOfItsHold() = runBlocking<Unit> {
		val tokens = List(2) { locks.withLock(ONCE) { locks.heldLock(NAME).fencingToken() } }
		assertThat(tokens[0]).isPositive().isLessThan(tokens[1])
	}

	@Test
	fun coroutineWithoutTheLockGetsNoHold() = runBlocking<Unit> {
		val failure = runCatching { locks.heldLock(NAME) }.exceptionOrNull()
		assertThat(failure).isInstanceOf(IllegalStateException::class.java).hasMessageContaining(NAME)
	}

	@Test
	fun tenThousandCoroutinesOnTwoThreadsWaitForOneLock() {
		val waiters = 10_000
		var done = 0
		Executors.newFixedThreadPool(2).asCoroutineDispatcher().use { twoThreads ->
			runBlocking {
				val holder = other.acquire(REQUEST)
				val waiting = List(waiters) { launch(twoThreads) { locks.withLock(REQUEST) { done++ } } }
				eventually { template.activity().waiting().size == waiters }
				assertThat(Thread.activeCount()).isLessThan(200)
				holder.close()
				waiting.joinAll()
			}
		}
		assertThat(done).isEqualTo(waiters)
	}

	private suspend fun eventually(condition: () -> Boolean) =
		withContext(Dispatchers.IO) { await().atMost(50, TimeUnit.SECONDS).until { condition() } }

	private fun isHeld() = other.inspect(NAME).isHeld

	private fun waiters() = other.inspect(NAME).waiting()

	private fun keys() = (redis.command("KEYS", "*") as List<*>).toSet()

	private fun template(): RedisLockTemplate {
		val server = LettuceConnectionFactory(RedisStandaloneConfiguration(redis.host(), redis.port()))
		return RedisLockTemplate(server, RedisLockSettings.defaults(), listOf())
	}

	/** Runs coroutines when a test runs their tasks. */
	private class Steps : CoroutineDispatcher() {

		val tasks = LinkedBlockingQueue<Runnable>()

		override fun dispatch(context: CoroutineContext, block: Runnable) {
			tasks += block
		}

	}

	private companion object {

		const val NAME = "orders:42"

		val REQUEST: LockRequest = LockRequest.of(NAME).waitTime(50.seconds.toJavaDuration())

		/** The tests look at the lock right after a section. */
		val ONCE: LockRequest = REQUEST.waitTime(java.time.Duration.ZERO).release(LockRelease.CONFIRMED)

	}

}
