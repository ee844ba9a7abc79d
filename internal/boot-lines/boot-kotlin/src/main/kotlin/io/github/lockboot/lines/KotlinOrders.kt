package io.github.lockboot.lines

import io.github.lockboot.LockOperations
import io.github.lockboot.ReactiveLockOperations
import io.github.lockboot.annotation.DistributedLock
import io.github.lockboot.cache.RedisCache
import io.github.lockboot.kotlin.withLock
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.springframework.stereotype.Service
import java.util.concurrent.atomic.AtomicInteger

/** Suspend functions with a lock and a cache. */
@Service
open class KotlinOrders(private val locks: LockOperations, private val reactiveLocks: ReactiveLockOperations) {

	private val loads = AtomicInteger()

	@DistributedLock(name = "order", key = "#id")
	open suspend fun pay(id: String): Boolean {
		delay(1)
		return locks.inspect("order:$id").isHeld
	}

	open suspend fun payInSection(id: String): Boolean = reactiveLocks.withLock("order:$id") {
		delay(1)
		locks.inspect("order:$id").isHeld
	}

	@RedisCache(name = "kotlin-order", key = "#id")
	open suspend fun find(id: String): Order {
		delay(1)
		return Order(id, loads.incrementAndGet())
	}

	data class Order(val id: String, val load: Int)

}

/** Calls suspend functions from Java. */
object Blocking {

	@JvmStatic
	fun pay(orders: KotlinOrders, id: String): Boolean = runBlocking { orders.pay(id) }

	@JvmStatic
	fun payInSection(orders: KotlinOrders, id: String): Boolean = runBlocking { orders.payInSection(id) }

	@JvmStatic
	fun find(orders: KotlinOrders, id: String): KotlinOrders.Order = runBlocking { orders.find(id) }

}
