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

		fun body(key: String = ""): Boolean {
			probe("job$key")
			return true
		}

	}

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

		companion object {

			@JvmStatic
			fun throughTheBean(job: Open) = job.run()

			@JvmStatic
			fun throughAReference(job: Open) = (job::run)()

		}

	}

	class Closed : Api {

		@DistributedLock(name = "job")
		override fun run() {
			body()
		}

		companion object {

			@JvmStatic
			fun throughTheBean(job: Api) = job.run()

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

		companion object {

			@JvmStatic
			fun throughTheBean(job: Internal) = job.pay()

		}

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

		companion object {

			@JvmStatic
			fun throughTheBean(job: Extension) = with(job) { "42".pay() }

		}

	}

	open class Property {

		@get:DistributedLock(name = "job")
		open val total: Boolean
			get() = body()

		companion object {

			@JvmStatic
			fun throughTheBean(job: Property) = job.total

		}

	}

	open class Overloads {

		@JvmOverloads
		@DistributedLock(name = "job", key = "#id")
		open fun pay(id: String, note: String = "") = body(":$id$note")

		companion object {

			@JvmStatic
			fun throughTheBean(job: Overloads) = job.pay("42")

			@JvmStatic
			fun throughAReference(job: Overloads) =
				Overloads::class.java.getMethod("pay", String::class.java).invoke(job, "42")

		}

	}

	@JvmInline
	value class OrderId(val value: String)

	open class ValueClass {

		@DistributedLock(name = "job", key = "#id")
		open fun pay(id: OrderId) = body(":42")

		companion object {

			@JvmStatic
			fun throughTheBean(job: ValueClass) = job.pay(OrderId("42"))

		}

	}

	open class ListOfValueClasses {

		@DistributedLock(name = "job", key = "#ids")
		open fun pay(ids: List<OrderId>) = body(":42")

		companion object {

			@JvmStatic
			fun throughTheBean(job: ListOfValueClasses) = job.pay(listOf(OrderId("42")))

		}

	}

	open class OptionalValueClass {

		@DistributedLock(name = "job", key = "#id")
		open fun pay(id: Optional<OrderId>) = body(":42")

		companion object {

			@JvmStatic
			fun throughTheBean(job: OptionalValueClass) = job.pay(Optional.of(OrderId("42")))

		}

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

		companion object {

			@JvmStatic
			fun throughTheBean(job: Handler<OrderId>) = job.handle(OrderId("42"))

			@JvmStatic
			fun throughAReference(job: Generic) = job.handle(OrderId("42"))

		}

	}

	interface LockedHandler<T> {

		@DistributedLock(name = "job", key = "#id")
		fun handle(id: T): Boolean

	}

	open class OfGenericInterface : LockedHandler<OrderId> {

		override fun handle(id: OrderId) = body(":42")

		companion object {

			@JvmStatic
			fun throughTheBean(job: LockedHandler<OrderId>) = job.handle(OrderId("42"))

			@JvmStatic
			fun throughAReference(job: OfGenericInterface) = job.handle(OrderId("42"))

		}

	}

	open class Suspend {

		@DistributedLock(name = "job", key = "#id")
		open suspend fun pay(id: String): Boolean {
			delay(1)
			return body(":$id")
		}

		companion object {

			@JvmStatic
			fun throughTheBean(job: Suspend) = runBlocking { job.pay("42") }

		}

	}

	open class WithDefault {

		@DistributedLock(name = "job")
		open suspend fun pay(note: String? = "none", number: Int = 1) = body()

		companion object {

			@JvmStatic
			fun throughTheBean(job: WithDefault) = runBlocking { job.pay(null) }

		}

	}

	interface Suspending {

		@DistributedLock(name = "job")
		suspend fun pay(): Boolean

	}

	open class OfSuspending : Suspending {

		override suspend fun pay() = body()

		companion object {

			@JvmStatic
			fun throughTheBean(job: Suspending) = runBlocking { job.pay() }

		}

	}

	open class OfFlow {

		@DistributedLock(name = "job")
		open fun pay(): Flow<Boolean> = flow { emit(body()) }

		companion object {

			@JvmStatic
			fun throughTheBean(job: OfFlow) = runBlocking { job.pay().toList() }

		}

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

		companion object {

			@JvmStatic
			fun throughTheBean(job: WithBody) = job.run()

		}

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

		companion object {

			@JvmStatic
			fun throughTheBean(job: Locked) = job.run()

		}

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

		companion object {

			@JvmStatic
			fun throughTheBean(job: Nullable) = runBlocking { job.pay() }

		}

	}

}
