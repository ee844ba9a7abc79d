package io.github.lockboot.aop.lock

import io.github.lockboot.annotation.DistributedLock
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.util.Optional

/** Annotated functions with value classes, which the compiler renames. */
class ValueClassTests {

	private val proxies = AnnotatedProxies()

	private val orders = proxies.proxy(Orders { proxies.isHeld("order:4711") })

	@AfterEach
	fun close() = proxies.close()

	@Test
	fun valueClassIsItsValueInAKey() {
		assertThat(orders.pay(OrderId("4711"))).isTrue()
	}

	@Test
	fun listOfValueClassesHasTheSameKeys() {
		assertThat(orders.payAll(listOf(OrderId("4711")))).isTrue()
	}

	@Test
	fun optionalValueClassHasTheSameKey() {
		assertThat(orders.payIfAny(Optional.of(OrderId("4711")))).isTrue()
	}

	@Test
	fun functionIsLockedThroughItsGenericInterface() {
		val handler: Handler<OrderId> = orders
		assertThat(handler.handle(OrderId("4711"))).isTrue()
	}

	@Test
	fun functionIsLockedThroughItsClass() {
		assertThat(orders.handle(OrderId("4711"))).isTrue()
	}

	@Test
	fun functionThatOnlyTheInterfaceAnnotatesIsLockedInBothWays() {
		val handler: Handler<OrderId> = orders
		assertThat(handler.annotated(OrderId("4711"))).isTrue()
		assertThat(orders.annotated(OrderId("4711"))).isTrue()
	}

	@JvmInline
	value class OrderId(val value: String)

	interface Handler<T> {

		fun handle(id: T): Boolean

		@DistributedLock(name = "order", key = "#id")
		fun annotated(id: T): Boolean

	}

	open class Orders(private val isHeld: () -> Boolean) : Handler<OrderId> {

		constructor() : this({ false })

		@DistributedLock(name = "order", key = "#id")
		open fun pay(id: OrderId): Boolean = isHeld()

		@DistributedLock(name = "order", key = "#ids")
		open fun payAll(ids: List<OrderId>): Boolean = isHeld()

		@DistributedLock(name = "order", key = "#id")
		open fun payIfAny(id: Optional<OrderId>): Boolean = isHeld()

		@DistributedLock(name = "order", key = "#id")
		override fun handle(id: OrderId): Boolean = isHeld()

		override fun annotated(id: OrderId): Boolean = isHeld()

	}

}
