package io.github.lockboot.autoconfigure

import io.github.lockboot.annotation.DistributedLock
import io.github.lockboot.annotation.OnNotAcquired
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import java.util.Optional

/** The declarations in Kotlin of the table of which methods are locked: see `cells.txt`. */
class KotlinCells {

	companion object {

		/** Records whether a lock is held. */
		@JvmField
		var probe: (String) -> Unit = {}

		/** How the beans of these types are called from outside. */
		@JvmField
		val calls = listOf(
			call<Open> { it.run() },
			call<Open> { (it::run)() },
			call<Api> { it.run() },
			call<Internal> { it.pay() },
			call<Extension> { with(it) { "42".pay() } },
			call<Property> { it.total },
			call<Overloads> { it.pay("42") },
			call<Overloads> { Overloads::class.java.getMethod("pay", String::class.java).invoke(it, "42") },
			call<ValueClass> { it.pay(OrderId("42")) },
			call<ListOfValueClasses> { it.pay(listOf(OrderId("42"))) },
			call<OptionalValueClass> { it.pay(Optional.of(OrderId("42"))) },
			call<Handler<OrderId>> { it.handle(OrderId("42")) },
			call<Generic> { it.handle(OrderId("42")) },
			call<LockedHandler<OrderId>> { it.handle(OrderId("42")) },
			call<OfGenericInterface> { it.handle(OrderId("42")) },
			call<Suspend> { runBlocking { it.pay("42") } },
			call<WithDefault> { runBlocking { it.pay(null) } },
			call<Suspending> { runBlocking { it.pay() } },
			call<OfFlow> { runBlocking { it.pay().toList() } },
			call<WithBody> { it.run() },
			call<Locked> { it.run() },
			call<Nullable> { runBlocking { it.pay() } },
		)

		private inline fun <reified T : Any> call(noinline call: (T) -> Any?) = Call(T::class.java) { call(it as T) }

		fun body(key: String = ""): Boolean {
			probe("job$key")
			return true
		}

	}

	class Call(@JvmField val type: Class<*>, @JvmField val call: (Any) -> Any?)

	interface Api {

		fun run()

	}

	open class Open {

		@DistributedLock(name = "job")
		open fun run() {
			body()
		}

		open fun byThis() = run()

		open fun byLambda() = listOf(1).forEach { _ -> Runnable { run() }.run() }

	}

	class Closed : Api {

		@DistributedLock(name = "job")
		override fun run() {
			body()
		}

	}

	open class ClosedFunction {

		@DistributedLock(name = "job")
		fun run() = body()

	}

	data class Data(val id: String = "") {

		@DistributedLock(name = "job")
		fun run() = body()

	}

	object Single {

		@DistributedLock(name = "job")
		fun run() = body()

	}

	open class Internal {

		@DistributedLock(name = "job")
		internal open fun pay() = body()

	}

	open class Protected {

		@DistributedLock(name = "job")
		protected open fun run() = body()

	}

	open class Private {

		@DistributedLock(name = "job")
		private fun run() = body()

		open fun use() = run()

	}

	open class OfCompanion {

		companion object {

			@DistributedLock(name = "job")
			fun run() = body()

		}

	}

	open class OfStaticCompanion {

		companion object {

			@JvmStatic
			@DistributedLock(name = "job")
			fun run() = body()

		}

	}

	open class Extension {

		@DistributedLock(name = "job", key = "#p0")
		open fun String.pay() = body(":$this")

	}

	open class Property {

		@get:DistributedLock(name = "job")
		open val total: Boolean
			get() = body()

	}

	open class Overloads {

		@JvmOverloads
		@DistributedLock(name = "job", key = "#id")
		open fun pay(id: String, note: String = "") = body(":$id$note")

	}

	@JvmInline
	value class OrderId(val value: String)

	open class ValueClass {

		@DistributedLock(name = "job", key = "#id")
		open fun pay(id: OrderId) = body(":42")

	}

	open class ListOfValueClasses {

		@DistributedLock(name = "job", key = "#ids")
		open fun pay(ids: List<OrderId>) = body(":42")

	}

	open class OptionalValueClass {

		@DistributedLock(name = "job", key = "#id")
		open fun pay(id: Optional<OrderId>) = body(":42")

	}

	open class PropertyOfValueClass {

		@DistributedLock(name = "job", key = "#id.value")
		open fun pay(id: OrderId) = body(":42")

	}

	interface Handler<T> {

		fun handle(id: T): Boolean

	}

	open class Generic : Handler<OrderId> {

		@DistributedLock(name = "job", key = "#id")
		override fun handle(id: OrderId) = body(":42")

	}

	interface LockedHandler<T> {

		@DistributedLock(name = "job", key = "#id")
		fun handle(id: T): Boolean

	}

	open class OfGenericInterface : LockedHandler<OrderId> {

		override fun handle(id: OrderId) = body(":42")

	}

	open class Suspend {

		@DistributedLock(name = "job", key = "#id")
		open suspend fun pay(id: String): Boolean {
			delay(1)
			return body(":$id")
		}

	}

	open class WithDefault {

		@DistributedLock(name = "job")
		open suspend fun pay(note: String? = "none", number: Int = 1) = body()

	}

	interface Suspending {

		@DistributedLock(name = "job")
		suspend fun pay(): Boolean

	}

	open class OfSuspending : Suspending {

		override suspend fun pay() = body()

	}

	open class OfFlow {

		@DistributedLock(name = "job")
		open fun pay(): Flow<Boolean> = flow { emit(body()) }

	}

	open class OfSequence {

		@DistributedLock(name = "job")
		open fun run(): Sequence<Boolean> = sequenceOf(body())

	}

	open class OfLazy {

		@DistributedLock(name = "job")
		open fun run(): Lazy<Boolean> = lazyOf(body())

	}

	open class OfFunction {

		@DistributedLock(name = "job")
		open fun run(): () -> Boolean = body().let { { it } }

	}

	interface WithBody {

		@DistributedLock(name = "job")
		fun run() {
			body()
		}

	}

	open class OfBody : WithBody {

	}

	interface Locked {

		@DistributedLock(name = "job")
		fun run()

	}

	private class Delegate : Locked {

		override fun run() {
			body()
		}

	}

	open class Delegating : Locked by Delegate() {

	}

	open class NeverNull {

		@DistributedLock(name = "job", onNotAcquired = [OnNotAcquired.SKIP])
		open fun run(): String = body().toString()

	}

	open class NeverNullSuspend {

		@DistributedLock(name = "job", onNotAcquired = [OnNotAcquired.SKIP])
		open suspend fun pay(): String = ""

	}

	open class Nullable {

		@DistributedLock(name = "job", onNotAcquired = [OnNotAcquired.SKIP])
		open suspend fun pay(): String? = body().toString()

	}

}
