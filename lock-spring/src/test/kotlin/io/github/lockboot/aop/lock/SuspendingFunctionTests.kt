package io.github.lockboot.aop.lock

import io.github.lockboot.LockNotAcquiredException
import io.github.lockboot.annotation.DistributedLock
import io.github.lockboot.annotation.OnNotAcquired
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/** Annotated suspend functions, and functions that return a flow. */
@Timeout(60)
class SuspendingFunctionTests {

	private val proxies = AnnotatedProxies()

	private val orders: Orders = proxies.proxy(Orders(::isHeld))

	init {
		orders.self = orders
	}

	@AfterEach
	fun close() = proxies.close()

	@Test
	fun lockIsHeldWhileTheFunctionIsSuspendedAndUntilItReturns() = runBlocking<Unit> {
		val work = CompletableDeferred<Unit>()
		val paid = async(Dispatchers.Default) { orders.payAfter("42", work) }
		await().until { isHeld() }
		work.complete(Unit)
		assertThat(paid.await()).isTrue()
		assertThat(isHeld()).isFalse()
	}

	@Test
	fun lockIsReleasedWhenTheFunctionThrows() = runBlocking<Unit> {
		val failure = runCatching { orders.failing("42") }.exceptionOrNull()
		assertThat(failure).isInstanceOf(IllegalStateException::class.java).hasMessage("broken")
		assertThat(isHeld()).isFalse()
	}

	@Test
	fun lockIsReleasedWhenTheCoroutineIsCancelled() = runBlocking<Unit> {
		val paying = launch(Dispatchers.Default) { orders.payAfter("42", CompletableDeferred()) }
		await().until { isHeld() }
		paying.cancelAndJoin()
		await().until { !isHeld() }
	}

	@Test
	fun busyLockIsThrown() {
		proxies.hold("orders:42").use {
			assertThatExceptionOfType(LockNotAcquiredException::class.java)
				.isThrownBy { runBlocking { orders.tryToPay("42") } }
		}
	}

	@Test
	fun busyLockIsSkippedIfTheAnnotationSetsIt() {
		proxies.hold("orders:42").use {
			assertThat(runBlocking { orders.payOrSkip("42") }).isNull()
		}
	}

	@Test
	fun skippedCallReturnsAnEmptyListIfTheResultIsOne() {
		proxies.hold("orders:42").use {
			assertThat(runBlocking { orders.findOrSkip("42") }).isEmpty()
		}
	}

	@Test
	fun functionThatCallsAnotherOneWithTheSameLockReentersIt() {
		assertThat(runBlocking { orders.payTwice("42") }).isTrue()
	}

	@Test
	fun lockOfAFlowIsHeldForAllItsValues() = runBlocking<Unit> {
		assertThat(orders.pays("42").toList()).containsExactly(true, true, true)
		assertThat(isHeld()).isFalse()
	}

	private fun isHeld() = proxies.isHeld("orders:42")

	open class Orders(private val isHeld: () -> Boolean) {

		constructor() : this({ false })

		open var self: Orders? = null

		@DistributedLock(name = "orders", key = "#id")
		open suspend fun payAfter(id: String, work: Deferred<Unit>): Boolean {
			work.await()
			return isHeld()
		}

		@DistributedLock(name = "orders", key = "#id")
		open suspend fun failing(id: String) {
			delay(1)
			error("broken")
		}

		@DistributedLock(name = "orders", key = "#id", waitTime = "0")
		open suspend fun tryToPay(id: String): Boolean = isHeld()

		@DistributedLock(name = "orders", key = "#id", waitTime = "0", onNotAcquired = [OnNotAcquired.SKIP])
		open suspend fun payOrSkip(id: String): Boolean? = isHeld()

		@DistributedLock(name = "orders", key = "#id", waitTime = "0", onNotAcquired = [OnNotAcquired.SKIP])
		open suspend fun findOrSkip(id: String): List<String> = listOf(id)

		@DistributedLock(name = "orders", key = "#id")
		open suspend fun payTwice(id: String): Boolean = withContext(Dispatchers.Default) { self!!.tryToPay(id) }

		@DistributedLock(name = "orders", key = "#id")
		open fun pays(id: String): Flow<Boolean> = flow { repeat(3) { emit(isHeld()) } }

	}

}
