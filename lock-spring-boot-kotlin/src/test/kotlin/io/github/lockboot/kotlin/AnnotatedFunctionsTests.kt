package io.github.lockboot.kotlin

import io.github.lockboot.LockOperations
import io.github.lockboot.ReactiveLockOperations
import io.github.lockboot.annotation.DistributedLock
import io.github.lockboot.autoconfigure.DistributedLockAutoConfiguration
import io.github.lockboot.autoconfigure.LocalLockAutoConfiguration
import io.github.lockboot.autoconfigure.ReactiveLockAutoConfiguration
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.test.context.runner.ApplicationContextRunner
import org.springframework.boot.test.system.CapturedOutput
import org.springframework.boot.test.system.OutputCaptureExtension
import kotlin.time.Duration

/** Sections beside annotated suspend functions, in an application. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension::class)
class AnnotatedFunctionsTests {

	private val application = ApplicationContextRunner()
		.withConfiguration(
			AutoConfigurations.of(
				DistributedLockAutoConfiguration::class.java,
				LocalLockAutoConfiguration::class.java,
				ReactiveLockAutoConfiguration::class.java,
			),
		)
		.withPropertyValues("lock.backend=local")
		.withBean(Orders::class.java)

	@Test
	fun sectionReentersTheLockOfAnAnnotatedFunction() = run { _, orders ->
		assertThat(orders.payInSection("42")).isTrue()
	}

	@Test
	fun annotatedFunctionReentersTheLockOfASection() = run { locks, orders ->
		assertThat(locks.withLock("order:42") { orders.pay("42") }).isTrue()
	}

	@Test
	fun annotatedFunctionGetsItsHold() = run { _, orders ->
		assertThat(orders.token("42")).isPositive()
	}

	@Test
	fun parameterThatTakesItsDefaultForANullLogsAWarning(output: CapturedOutput) {
		application.withBean(Defaults::class.java).run { context ->
			runBlocking { assertThat(context.getBean(Defaults::class.java).note(null)).isEqualTo("none") } // not null
			assertThat(output).contains("gets the default value of 'note' for a null").doesNotContain("default value of 'number'")
		}
	}

	private fun run(test: suspend (ReactiveLockOperations, Orders) -> Unit) {
		application.run { context ->
			runBlocking { test(context.getBean(ReactiveLockOperations::class.java), context.getBean(Orders::class.java)) }
		}
	}

	open class Orders(private val locks: ReactiveLockOperations, private val blocking: LockOperations) {

		@DistributedLock(name = "order", key = "#id", waitTime = "0")
		open suspend fun pay(id: String): Boolean = blocking.inspect("order:$id").isHeld

		@DistributedLock(name = "order", key = "#id")
		open suspend fun payInSection(id: String): Boolean =
			locks.withLock("order:$id", waitTime = Duration.ZERO) { blocking.inspect("order:$id").isHeld }

		@DistributedLock(name = "order", key = "#id")
		open suspend fun token(id: String): Long = locks.heldLock("order:$id").fencingToken()

	}

	open class Defaults {

		@DistributedLock
		open suspend fun note(note: String? = "none", number: Int = 1): String? = note

	}

}
