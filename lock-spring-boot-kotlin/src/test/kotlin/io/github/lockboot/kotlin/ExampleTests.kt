package io.github.lockboot.kotlin

import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import kotlin.io.path.Path
import kotlin.io.path.readText

/** The example of the documentation is compiled with the tests. */
class ExampleTests {

	@Test
	fun exampleOfThePageIsCompiled() {
		val example = Path("src/test/kotlin/Deliveries.kt").readText()
		assertThat(Path("../docs/async.md").readText()).contains("```kotlin\n$example```")
	}

}
