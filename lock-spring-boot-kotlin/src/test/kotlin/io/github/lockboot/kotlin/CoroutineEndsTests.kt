package io.github.lockboot.kotlin

import io.github.lockboot.LockDefaults
import io.github.lockboot.LockListener
import io.github.lockboot.LockRequest
import io.github.lockboot.annotation.DistributedLock
import io.github.lockboot.aop.lock.AsynchronousEndsContract
import io.github.lockboot.autoconfigure.DistributedLockAutoConfiguration
import io.github.lockboot.engine.LockTemplate
import io.github.lockboot.fixture.RedisFixture
import io.github.lockboot.redis.RedisLockSettings
import io.github.lockboot.redis.RedisLockTemplate
import kotlinx.coroutines.DelicateCoroutinesApi
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.GlobalScope
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.future.future
import kotlinx.coroutines.reactor.mono
import kotlinx.coroutines.yield
import org.junit.jupiter.api.AfterAll
import org.springframework.context.annotation.AnnotationConfigApplicationContext
import org.springframework.data.redis.connection.RedisStandaloneConfiguration
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory
import reactor.core.publisher.Mono
import java.util.concurrent.CompletionStage
import java.util.function.BiFunction
import java.util.function.Supplier

/** Each way in which a coroutine acquires a lock, ended in each way: nothing is left. */
class CoroutineEndsTests : AsynchronousEndsContract() {

	private val application = AnnotationConfigApplicationContext()

	override fun template(defaults: LockDefaults, listeners: List<LockListener>): LockTemplate {
		val redis = RedisFixture.shared()
		val server = LettuceConnectionFactory(RedisStandaloneConfiguration(redis.host(), redis.port()))
		val settings = RedisLockSettings.defaults().withKeyPrefix("coroutines:").withLockDefaults(defaults)
		val template = RedisLockTemplate(server, settings, listeners)
		application.registerBean(RedisLockTemplate::class.java, Supplier { template })
		application.register(DistributedLockAutoConfiguration::class.java, Functions::class.java)
		application.refresh()
		return template
	}

	@AfterAll
	fun closeApplication() = application.close()

	override fun publisherEntries() = SECTIONS.mapValues { (_, section) ->
		BiFunction<Calls, LockRequest, Mono<*>> { calls, request ->
			mono(Dispatchers.Default) { section(calls, request) }
		}
	} + ("annotated function" to BiFunction { _, _ -> mono(Dispatchers.Default) { functions().run() } })

	@OptIn(DelicateCoroutinesApi::class)
	override fun stageEntries() = SECTIONS.mapValues { (_, section) ->
		BiFunction<Calls, LockRequest, CompletionStage<*>> { calls, request ->
			GlobalScope.future { section(calls, request) }
		}
	} + ("annotated function" to BiFunction { _, _ -> GlobalScope.future { functions().run() } })

	override fun requestsAtOnce() = false

	private fun functions() = application.getBean(Functions::class.java)

	open class Functions {

		@DistributedLock(name = "a", waitTime = "30s")
		open suspend fun run(): String {
			yield()
			return "done"
		}

	}

	private companion object {

		val SECTIONS: Map<String, suspend (Calls, LockRequest) -> Any?> = mapOf(
			"withLock" to { calls, request -> calls.reactive().withLock(request) { calls.begin() } },
			"withLockOrNull" to { calls, request -> calls.reactive().withLockOrNull(request) { calls.begin() } },
			"nested withLock" to { calls, request ->
				calls.reactive().withLock(request) {
					calls.begin()
					calls.reactive().withLock(request) { "done" }
				}
			},
			"section that suspends" to { calls, request ->
				calls.reactive().withLock(request) {
					calls.begin()
					delay(1)
				}
			},
			"section with children" to { calls, request ->
				calls.reactive().withLock(request) {
					calls.begin()
					async { yield() }.await()
				}
			},
			"section that fails" to { calls, request ->
				calls.reactive().withLock(request) {
					calls.begin()
					error("broken")
				}
			},
		)

		fun Calls.begin() = runs().incrementAndGet()

	}

}
