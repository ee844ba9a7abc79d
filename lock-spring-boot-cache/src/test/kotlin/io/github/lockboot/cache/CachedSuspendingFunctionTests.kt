package io.github.lockboot.cache

import com.fasterxml.jackson.annotation.JsonSubTypes
import com.fasterxml.jackson.annotation.JsonTypeInfo
import com.fasterxml.jackson.annotation.JsonTypeName
import io.github.lockboot.cache.autoconfigure.CacheAnnotationsAutoConfiguration
import io.github.lockboot.cache.autoconfigure.RedisCacheAutoConfiguration
import io.github.lockboot.fixture.RedisServer
import io.github.lockboot.fixture.RedisTest
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration
import org.springframework.boot.test.context.runner.ApplicationContextRunner
import org.springframework.cache.interceptor.KeyGenerator
import org.springframework.cache.interceptor.SimpleKeyGenerator
import java.util.concurrent.atomic.AtomicInteger
import java.util.function.Supplier

/** Annotated functions of Kotlin: data classes, suspend functions, flows. */
@RedisTest
@Timeout(60)
class CachedSuspendingFunctionTests(redis: RedisServer) {

	private val runner = ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration::class.java,
			CacheAnnotationsAutoConfiguration::class.java, RedisCacheAutoConfiguration::class.java))
		.withPropertyValues("spring.data.redis.url=" + redis.uri(), "lock.cache.command-timeout=5s")
		.withBean("simple", KeyGenerator::class.java, Supplier { SimpleKeyGenerator() })
		.withBean(Shop::class.java, Supplier { Shop() })

	@Test
	fun dataClassIsRestoredEqual() = run { shop ->
		assertThat(shop.find(1)).isEqualTo(Product(1, "pen", null, listOf(Price(99))))
		assertThat(shop.find(1)).isEqualTo(Product(1, "pen", null, listOf(Price(99))))
		assertThat(shop.count()).isEqualTo(1)
	}

	@Test
	fun valueOfASuspendFunctionIsCached() = run { shop ->
		runBlocking {
			assertThat(shop.load(1)).isEqualTo(Product(1, "pen", null, listOf()))
			assertThat(shop.load(1)).isEqualTo(Product(1, "pen", null, listOf()))
			shop.load(2)
		}
		assertThat(shop.count()).isEqualTo(2)
	}

	@Test
	fun typeArgumentsOfASuspendFunctionMayHaveSubtypes() = run { shop ->
		val all = mapOf("a" to listOf(Circle(1), Circle(2)))
		runBlocking { repeat(2) { assertThat(shop.shapes()).isEqualTo(all) } }
		runBlocking { repeat(2) { assertThat(shop.labels().single().text).isEqualTo("x") } }
		assertThat(shop.count()).isEqualTo(2)
	}

	@Test
	fun coroutinesShareALoad() = run { shop ->
		runBlocking {
			val loads = (1..20).map { async(Dispatchers.Default) { shop.loadSlowly(1) } }
			assertThat(loads.awaitAll()).containsOnly("1")
		}
		assertThat(shop.count()).isEqualTo(1)
	}

	@Test
	fun nullOfASuspendFunctionIsCached() = run { shop ->
		runBlocking {
			assertThat(shop.nothing()).isNull()
			assertThat(shop.nothing()).isNull()
		}
		assertThat(shop.count()).isEqualTo(1)
	}

	@Test
	fun failureOfASuspendFunctionIsNotCached() = run { shop ->
		assertThatExceptionOfType(IllegalStateException::class.java).isThrownBy { runBlocking { shop.failing() } }
		assertThatExceptionOfType(IllegalStateException::class.java).isThrownBy { runBlocking { shop.failing() } }
		assertThat(shop.count()).isEqualTo(2)
	}

	@Test
	fun elementsOfAFlowAreCached() = run { shop ->
		runBlocking {
			assertThat(shop.flow().toList()).containsExactly(1, 2, 3)
			assertThat(shop.flow().toList()).containsExactly(1, 2, 3)
		}
		assertThat(shop.count()).isEqualTo(1)
	}

	@Test
	fun evictHappensAfterASuspendFunction() = run { shop ->
		runBlocking {
			shop.load(1)
			shop.change(1)
			shop.load(1)
		}
		assertThat(shop.count()).isEqualTo(2)
	}

	@Test
	fun keyGeneratorOfSpringReceivesAllArgumentsOfASuspendFunction() = run { shop ->
		runBlocking {
			assertThat(shop.named("pen", 1)).isEqualTo("pen/1")
			assertThat(shop.named("pen", 2)).isEqualTo("pen/2")
			assertThat(shop.named("pen", 1)).isEqualTo("pen/1")
		}
		assertThat(shop.count()).isEqualTo(2)
	}

	private fun run(story: (Shop) -> Unit) {
		runner.run { context -> story(context.getBean(Shop::class.java)) }
	}

	data class Product(val id: Int, val name: String, val remark: String?, val prices: List<Price>)

	data class Price(val cents: Int)

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	@JsonSubTypes(JsonSubTypes.Type(Circle::class))
	interface Shape

	@JsonTypeName("circle")
	data class Circle(val radius: Int) : Shape

	open class Label(var text: String = "")

	open class Shop {

		private val calls = AtomicInteger()

		open fun count(): Int = calls.get()

		@RedisCache
		open fun find(id: Int): Product {
			calls.incrementAndGet()
			return Product(id, "pen", null, listOf(Price(99)))
		}

		@RedisCache(name = "product")
		open suspend fun load(id: Int): Product = loaded(Product(id, "pen", null, listOf()))

		@RedisCache
		open suspend fun shapes(): Map<String, List<Shape>> = loaded(mapOf("a" to listOf(Circle(1), Circle(2))))

		@RedisCache
		open suspend fun labels(): List<Label> = loaded(listOf(Label("x")))

		@RedisCache(keyGenerator = "simple")
		open suspend fun named(name: String, id: Int): String = loaded("$name/$id")

		@RedisCache
		open suspend fun loadSlowly(id: Int): String = loaded(id.toString(), 300)

		@RedisCache
		open suspend fun nothing(): String? = loaded(null)

		@RedisCache
		open suspend fun failing(): String = error(loaded("broken"))

		@RedisCache
		open fun flow(): Flow<Int> {
			calls.incrementAndGet()
			return flowOf(1, 2, 3)
		}

		private suspend fun <T> loaded(value: T, millis: Long = 1): T {
			calls.incrementAndGet()
			delay(millis)
			return value
		}

		@RedisCacheEvict(name = "product")
		open suspend fun change(id: Int) {
			delay(1)
		}

	}

}
